/** Finding a player by typing the beginning of a name. */

import { ask } from "./api.js";
import { h, replace } from "./dom.js";
import { t } from "./texts.js";

const PAUSE = 180;
const SHOWN = 8;

/**
 * Show below a field who bears a name that begins as what is typed.
 * @param {HTMLInputElement} field @param {HTMLElement} list
 */
export function findPlayers(field, list) {
  let timer = 0;
  let asked = 0;

  async function find() {
    const name = field.value.trim();
    const turn = ++asked;
    if (name === "") return replace(list);
    const { data } = await ask(`/players?${new URLSearchParams({ name, limit: String(SHOWN) })}`);
    if (turn !== asked) return undefined;
    return replace(
      list,
      data.items.map((player) => h("li", {}, h("a", { href: `/?player=${player.id}` }, player.name))),
      data.items.length === 0 && h("li", { class: "quiet" }, t("start.nobody")),
    );
  }

  /** Go to the first who is found by what stands in the field now. */
  async function follow() {
    clearTimeout(timer);
    await find();
    list.querySelector("a")?.click();
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(find, PAUSE);
  });
  field.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") follow();
    if (key === "ArrowDown") list.querySelector("a")?.focus();
  });
}
