/**
 * A match inside the page of another site: what the server has drawn becomes the board of the game, to be played
 * through. Until then, and where scripts do not run, the page leads from ply to ply by links.
 */

import { ask } from "./api.js";
import { byId, find, h, replace } from "./dom.js";
import { loadGame } from "./game.js";
import { Player } from "./player.js";
import { playerName, withPlayers } from "./seats.js";
import { page, t } from "./texts.js";

const [
  {
    data: { match, frames },
  },
  game,
] = await Promise.all([ask(`/matches/${page.match}/replay`), loadGame(page.game)]);
const { data: edition } = await ask(`/matches/${page.match}/edition`);

for (const replaced of document.querySelectorAll("#picture, [rel=prev], [rel=next]")) replaced.remove();
const board = game.createBoard(byId("board"), { edition, nameOf: (seat) => playerName(match.players, seat) });
const player = new Player(byId("player"), game.turnOf, show);
player.update(
  frames,
  match.players.map(({ seat }) => seat),
  page.ply,
);
player.heedKeys(() => true);
player.heedSwipes(find(document, ".place"), () => true);

function show(ply) {
  const { state, seat, move, text } = frames[ply];
  board.draw(state, { lastMove: seat === null ? null : { ply, seat, move } });
  const said = ply === 0 ? t("embed.start") : t("embed.ply", { ply, plies: player.last });
  replace(byId("now"), h("b", {}, said), " ", withPlayers(text, match.players));
  for (const { seat: one } of match.players)
    replace(byId(`points-${one}`), t("embed.points", { points: state.score[one].total }));
}
