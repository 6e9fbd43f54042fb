/** The start page. */

import { ask } from "./api.js";
import { h, replace } from "./dom.js";
import { t } from "./texts.js";

const { data } = await ask("/matches?limit=20");
const list = document.getElementById("matches");
replace(list, data.items.length ? h("ul", {}, data.items.map((match) => h("li", {}, h("a", { href: `/matches/${match.id}` }, match.id)))) : h("p", {}, t("start.empty")));
