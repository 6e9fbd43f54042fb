// Plays both games by the client that @hey-api/openapi-ts generates; takes the address of the service.
import { MATCHES } from './matches'
import { client } from './hey/client.gen'
import { correct, createMatch, getMatch, getReplay, listLegalMoves, recordMoves } from './hey/sdk.gen'

const check = (holds: boolean, what: unknown) => {
  if (!holds) throw new Error(JSON.stringify(what))
}

const main = async () => {
  client.setConfig({ baseUrl: process.argv[2] })
  for (const body of MATCHES) {
    const { data: match } = await createMatch({ body, throwOnError: true })
    const path = { match_id: match.id }
    const { data: legal } = await listLegalMoves({ path, throwOnError: true })
    if (legal.to_move === null) throw new Error('nobody is to move')
    const move = { seat: legal.to_move, move: legal.moves[0] }
    const headers = { 'If-Match': '"1"' }
    const { data: recorded } = await recordMoves({ path, headers, body: move, throwOnError: true })
    check(recorded.ply === 1 && recorded.state?.game === body.game, recorded)
    const { data: corrected } = await correct({ path, body: { ply: 1, action: 'remove' }, throwOnError: true })
    check(corrected.ply === 0 && corrected.version === 3, corrected)
    const { data: read } = await getMatch({ path, throwOnError: true })
    const { data: replay } = await getReplay({ path, throwOnError: true })
    check(read.version === 3 && replay.frames.length === 1, replay)
  }
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
