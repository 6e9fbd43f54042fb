// Plays both games by openapi-fetch with the types that openapi-typescript generates; takes the address of the service.
import createClient from 'openapi-fetch'
import { MATCHES } from './matches'
import type { paths } from './schema'

const found = <T>(answer: { data?: T; error?: unknown }): T => {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error))
  return answer.data
}

const check = (holds: boolean, what: unknown) => {
  if (!holds) throw new Error(JSON.stringify(what))
}

const main = async () => {
  const client = createClient<paths>({ baseUrl: process.argv[2] })
  for (const body of MATCHES) {
    const match = found(await client.POST('/api/v1/matches', { body }))
    const path = { match_id: match.id }
    const legal = found(await client.GET('/api/v1/matches/{match_id}/legal-moves', { params: { path } }))
    if (legal.to_move === null) throw new Error('nobody is to move')
    const params = { path, header: { 'If-Match': '"1"' } }
    const move = { seat: legal.to_move, move: legal.moves[0] }
    const recorded = found(await client.POST('/api/v1/matches/{match_id}/moves', { params, body: move }))
    check(recorded.ply === 1 && recorded.state?.game === body.game, recorded)
    const removal = { ply: 1, action: 'remove' as const }
    const corrected = found(
      await client.POST('/api/v1/matches/{match_id}/corrections', { params: { path }, body: removal }),
    )
    check(corrected.ply === 0 && corrected.version === 3, corrected)
    const read = found(await client.GET('/api/v1/matches/{match_id}', { params: { path } }))
    const replay = found(await client.GET('/api/v1/matches/{match_id}/replay', { params: { path } }))
    if (typeof replay === 'string') throw new Error('lines were not asked for')
    check(read.version === 3 && replay.frames.length === 1, replay)
  }
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
