/** What the values of an edition of La Cité de la Lumière are called; what a lamp lights is tapped on a grid. */

import { h } from "../../js/dom.js";
import { t } from "../../js/texts.js";

/** What a value, or a group of them, is called. @param {string[]} path @returns {string} */
export function nameOf([group, name]) {
  if (name === undefined) return t(`cite-lumiere.sheet_${group}`);
  return group === "faces" ? t("cite-lumiere.sheet_face", { number: name }) : name;
}

/** The field of a value that its form alone does not say. @param {string[]} path */
export function fieldOf([group]) {
  return group === "grand_lamp_spaces" ? gridField : null;
}

const REACH = [-3, -2, -1, 0, 1, 2, 3];

/** Spaces around a lamp, each as its way from there: columns, then rows. */
function gridField(value, id, changed) {
  const lit = new Set(value.map(String));
  const toggle = ({ currentTarget: button }) => {
    const { offset } = button.dataset;
    if (!lit.delete(offset)) lit.add(offset);
    button.setAttribute("aria-pressed", String(lit.has(offset)));
    changed();
  };
  const cell = (across, down) =>
    across === 0 && down === 0
      ? h("span", { class: "cite-grid-lamp" }, "✦")
      : h("button", {
          type: "button",
          dataset: { offset: `${across},${down}` },
          "aria-label": t("cite-lumiere.sheet_offset", { across, down }),
          "aria-pressed": String(lit.has(`${across},${down}`)),
          onclick: toggle,
        });
  return {
    element: h(
      "div",
      { class: "cite-grid wide-field", id, role: "group" },
      REACH.flatMap((down) => REACH.map((across) => cell(across, down))),
    ),
    // In the order of the edition, so that what is tapped twice is as it was.
    read: () =>
      REACH.flatMap((down) => REACH.map((across) => [across, down])).filter((offset) => lit.has(String(offset))),
  };
}
