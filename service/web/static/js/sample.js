/** The sample match of the start page, which one steps through or watches. */

import { byId, h, replace } from "./dom.js";
import { seatSign } from "./seats.js";
import { smallBoard } from "./small_board.js";
import { lang, t } from "./texts.js";

const EACH = 900;

/**
 * @param {{game: string, players: {seat: string, name: string}[]}} sample
 * @returns {{play: () => void}}
 */
export function createSample({ game, players }) {
  /** @type {Promise<any[]> | null} */
  let loading = null;
  let ply = Infinity;
  let timer = 0;

  function load() {
    loading ??= fetch(`/sample.${lang}.json`)
      .then((response) => response.json())
      .then(({ frames }) => frames);
    loading.catch(() => (loading = null));
    return loading;
  }

  async function show(next) {
    const frames = await load();
    ply = Math.max(0, Math.min(next(Math.min(ply, frames.length - 1)), frames.length - 1));
    const frame = frames[ply];
    replace(byId("sample-board"), smallBoard(frame.board));
    replace(
      byId("sample-text"),
      frame.text === null
        ? t("start.begins")
        : t("start.ply", { ply, plies: frames.length - 1, text: named(frame.text) }),
    );
    replace(
      byId("sample-score"),
      players.map(({ seat, name }) =>
        h("span", { class: "sample-seat" }, seatSign(game, seat), name, h("strong", {}, String(frame.score[seat]))),
      ),
    );
    if (ply === frames.length - 1) stop();
  }

  const named = (text) => text.replace(/\p{L}+/gu, (word) => names.get(word) ?? word);
  const names = new Map(players.map(({ seat, name }) => [t(`shared.seat_${seat}`), name]));

  function stop() {
    clearInterval(timer);
    timer = 0;
    byId("sample-play").setAttribute("aria-pressed", "false");
    byId("sample-play").setAttribute("aria-label", t("start.play"));
  }

  function play() {
    const isOver = ply === Infinity;
    byId("sample-play").setAttribute("aria-pressed", "true");
    byId("sample-play").setAttribute("aria-label", t("start.pause"));
    show((now) => (isOver ? 0 : now + 1));
    clearInterval(timer);
    timer = window.setInterval(() => show((now) => now + 1), EACH);
  }

  async function toggle() {
    if (timer !== 0) return stop();
    const frames = await load();
    if (ply >= frames.length - 1) ply = Infinity;
    play();
  }

  const step = (by) => () => {
    stop();
    show((now) => now + by);
  };
  byId("sample-back").addEventListener("click", step(-1));
  byId("sample-next").addEventListener("click", step(1));
  byId("sample-play").addEventListener("click", toggle);
  show((now) => now).catch(() => {}); // without network the picture of the page stays
  return {
    play() {
      ply = Infinity;
      play();
    },
  };
}
