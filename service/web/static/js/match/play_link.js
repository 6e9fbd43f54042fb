/** A finished match for Board Game Stats: the address that adds it there, to be opened on a phone or scanned with one. */

/** @import { Store } from "./store.js" */
/** @import { MatchPage } from "./page.js" */

import { ask, attempt } from "../api.js";
import { copyField } from "../copying.js";
import { h } from "../dom.js";
import { qrCode } from "../qr.js";
import { t } from "../texts.js";

/**
 * What draws it. It is to be called whenever its tool is drawn, and lets it draw anew by `redraw`.
 * @param {Store} store @param {MatchPage} page @param {() => void} redraw @returns {() => HTMLElement | null}
 */
export function createPlayLink(store, page, redraw) {
  /** @type {{url: string, code: HTMLElement, version: number} | null} */
  let known = null;

  async function load() {
    const { version } = store;
    if (known?.version === version) return;
    await attempt(
      async () => {
        const { url } = (await ask(`/matches/${store.id}/export/play-link`)).data;
        known = { url, code: await qrCode(url, t("match.play_code")), version };
        redraw();
      },
      (problem) => page.report(problem),
    );
  }

  return () => {
    if (store.document.status !== "finished") return null;
    return h(
      "details",
      { key: "play", class: "play-link", ontoggle: ({ currentTarget }) => currentTarget.open && load() },
      h("summary", {}, "Board Game Stats"),
      known && [
        h("p", { class: "quiet" }, t("match.play_about")),
        h(
          "p",
          {},
          h("a", { class: "button", href: known.url, target: "_blank", rel: "noopener" }, t("match.play_add")),
        ),
        known.code.cloneNode(true),
        copyField(known.url, t("share.address")),
      ],
    );
  };
}
