/** What can be done with a match from its menu. */

import { confirm } from "../confirm.js";
import { byId, h, renew } from "../dom.js";
import { gainsSwitch } from "../gains.js";
import { seatSign } from "../seats.js";
import { page, t } from "../texts.js";

/** @param {HTMLElement} host @param {import("./page.js").MatchPage} shown */
export function showActs(host, { store, recorder, isOpen, game, host: form, variation }) {
  const { status, withdrawn, players } = store.document;
  const act = (key, path, method = "POST") => item(() => recorder.change(path, method), t(`match.${key}`));
  const undoEnd = async () => {
    if (await confirm({ text: t("match.undo_asks"), yes: t("match.undo_last") })) await recorder.undo();
  };
  const others = isOpen ? players.map(({ seat }) => seat).filter((seat) => seat !== recorder.seat) : [];
  renew(
    host,
    store.may("record") && [
      others.map((seat) => {
        const player = players.find((each) => each.seat === seat)?.name;
        return item(() => recorder.moveOutOfTurn(seat), seatSign(game.id, seat), t("match.moved_too", { player }));
      }),
      (isOpen || variation) && gainsSwitch(() => form.update()),
      status === "finished" && store.state !== null && item(undoEnd, t("match.undo_last")),
      page.may_edit && status === "in_progress" && act("abandon", "abandon"),
      page.may_edit && status === "abandoned" && act("reopen", "reopen"),
      store.may("manage") && (withdrawn ? act("unwithdraw", "withdraw", "DELETE") : act("withdraw", "withdraw")),
    ],
  );
}

/** Something to be chosen, which closes the menu. */
function item(action, ...label) {
  const choose = () => {
    byId("menu").hidePopover();
    action();
  };
  return h("button", { type: "button", onclick: choose }, ...label);
}
