/**
 * What is decided before the first move of Paris: the variants, and in the advanced game where tokens and tiles lie.
 */

import { focusedIn, h, replace } from "../../js/dom.js";
import { t, tn } from "../../js/texts.js";
import { bare, DISTRICTS, PRESTIGE, RESOURCES, VALUES } from "./position.js";
import { sign } from "./signs.js";

const KINDS = [...RESOURCES, ...PRESTIGE];
const OF_A_KIND = 6;
const SPACES = DISTRICTS.flatMap((district) => VALUES.map((value) => `${district}-${value}`));
const SHUFFLED = SPACES.filter((space) => !space.endsWith("-8"));
const FREE = "free_placement";

/**
 * The set-up in an element.
 * @param {HTMLElement} host
 * @param {{edition: any, initial?: any, onChange?: () => void}} how
 * @returns {{value: () => any, isComplete: () => boolean}}
 */
export function createSetup(host, { edition, initial, onChange = () => {} }) {
  const setup = new SetUp(host, bare(edition), initial ?? {}, onChange);
  return { value: () => setup.value(), isComplete: () => setup.isComplete() };
}

class SetUp {
  constructor(host, sheet, initial, onChange) {
    this.host = host;
    this.sheet = sheet;
    this.onChange = onChange;
    this.isAdvanced = initial.advanced ?? false;
    this.isFree = initial.variant === FREE;
    this.tokens = Object.fromEntries(SHUFFLED.map((space) => [space, initial.tokens?.[space] ?? null]));
    /** The number on each space of the track, from the first. */
    this.track = Array.from({ length: 30 }, (_, at) => initial.track?.[at + 1] ?? null);
    this.kind = "wood";
    host.classList.add("paris-setup");
    this.#draw();
  }

  value() {
    const variant = this.isFree ? FREE : null;
    if (!this.isAdvanced) return { advanced: false, variant };
    const tokens = Object.fromEntries(SPACES.map((space) => [space, this.tokens[space] ?? "gold"]));
    return {
      advanced: true,
      variant,
      tokens,
      track: Object.fromEntries(this.track.map((number, at) => [at + 1, number])),
    };
  }

  isComplete() {
    return !this.isAdvanced || (Object.values(this.tokens).every(Boolean) && this.track.every(Boolean));
  }

  #changed() {
    const focused = focusedIn(this.host)?.id;
    this.#draw();
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    this.onChange();
  }

  #draw() {
    replace(
      this.host,
      this.#choice("isFree", t("paris.setup_variant"), t("paris.setup_variant_hint")),
      this.#choice("isAdvanced", t("paris.setup_advanced"), t("paris.setup_advanced_hint")),
      this.isAdvanced && this.#drawTokens(),
      this.isAdvanced && this.#drawTrack(),
    );
  }

  #choice(member, label, hint) {
    const change = (event) => {
      this[member] = event.target.checked;
      this.#changed();
    };
    return h(
      "label",
      { class: "paris-setup-variant" },
      h("input", { type: "checkbox", id: `setup-${member}`, checked: this[member], onchange: change }),
      h("span", {}, label, h("small", { class: "quiet" }, hint)),
    );
  }

  // Tokens: a kind is chosen, and then the spaces where it lies are tapped

  #left(kind) {
    return OF_A_KIND - Object.values(this.tokens).filter((other) => other === kind).length;
  }

  #drawTokens() {
    return h(
      "fieldset",
      {},
      h("legend", {}, t("paris.setup_tokens")),
      h("p", { class: "quiet" }, t("paris.setup_tokens_hint")),
      this.#tools(
        "tokens",
        () => this.#shuffleTokens(),
        () => this.#clearTokens(),
      ),
      h(
        "div",
        { class: "paris-setup-kinds" },
        KINDS.filter((kind) => kind !== "gold").map((kind) =>
          h(
            "button",
            {
              type: "button",
              id: `setup-${kind}`,
              "aria-pressed": String(kind === this.kind),
              "aria-label": `${t(`paris.kind_${kind}`)}, ${tn("paris.setup_left", this.#left(kind))}`,
              onclick: () => {
                this.kind = kind;
                this.#changed();
              },
            },
            sign(kind, 24),
            h("b", {}, this.#left(kind)),
          ),
        ),
      ),
      DISTRICTS.map((district) =>
        h(
          "div",
          {
            class: ["paris-setup-tokens", `paris-in-${district}`],
            role: "group",
            "aria-label": t(`paris.district_${district}`),
          },
          h("span", { class: "paris-setup-name" }, t(`paris.district_${district}`)),
          VALUES.map((value) => this.#drawSpace(district, value)),
        ),
      ),
    );
  }

  #drawSpace(district, value) {
    const space = `${district}-${value}`;
    if (value === 8)
      return h(
        "span",
        { class: "paris-setup-fixed" },
        h("small", {}, value),
        sign("gold", 22),
        h("span", { class: "unseen" }, t("paris.kind_gold")),
      );
    const kind = this.tokens[space];
    const label = `${value}: ${kind ? t(`paris.kind_${kind}`) : t("paris.setup_none")}`;
    return h(
      "button",
      { type: "button", id: `setup-${space}`, "aria-label": label, onclick: () => this.#putToken(space) },
      h("small", {}, value),
      kind ? sign(kind, 22) : h("span", { class: "paris-setup-hole" }),
    );
  }

  /** Put the chosen kind there or take it away; when the last of a kind lies, the next kind is chosen. */
  #putToken(space) {
    if (this.tokens[space] === this.kind) this.tokens[space] = null;
    else if (this.#left(this.kind) > 0) this.tokens[space] = this.kind;
    if (this.#left(this.kind) === 0)
      this.kind = KINDS.find((kind) => kind !== "gold" && this.#left(kind) > 0) ?? this.kind;
    this.#changed();
  }

  #shuffleTokens() {
    const tokens = shuffled(KINDS.filter((kind) => kind !== "gold").flatMap((kind) => Array(OF_A_KIND).fill(kind)));
    this.tokens = Object.fromEntries(SHUFFLED.map((space, at) => [space, tokens[at]]));
    this.#changed();
  }

  #clearTokens() {
    this.tokens = Object.fromEntries(SHUFFLED.map((space) => [space, null]));
    this.#changed();
  }

  // The track: in each zone its numbers are tapped in their order

  #drawTrack() {
    return h(
      "fieldset",
      {},
      h("legend", {}, t("paris.setup_track")),
      h("p", { class: "quiet" }, t("paris.setup_track_hint")),
      this.#tools(
        "track",
        () => this.#shuffleTrack(),
        () => this.#clearTrack(),
      ),
      Object.entries(this.sheet.zones).map(([zone, range]) => this.#drawZone(zone, range)),
    );
  }

  #drawZone(zone, [first, last]) {
    const spaces = numbersOf(first, last);
    const lying = this.track.slice(first - 1, last);
    return h(
      "div",
      {
        class: ["paris-setup-zone", `paris-zone-${zone.toLowerCase()}`],
        role: "group",
        "aria-label": t("paris.setup_zone", { zone }),
      },
      h("b", {}, t("paris.setup_zone", { zone })),
      h(
        "ol",
        { class: "paris-setup-lying" },
        spaces.map((space, at) => {
          const number = lying[at];
          const label = t("paris.setup_space", { space, number: number ?? t("paris.setup_none") });
          return h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                id: `setup-space-${space}`,
                "aria-label": label,
                disabled: number === null,
                onclick: () => this.#takeBack(space),
              },
              h("small", {}, space),
              h("b", {}, number ?? "·"),
            ),
          );
        }),
      ),
      h(
        "div",
        { class: "paris-setup-open" },
        spaces
          .filter((number) => !lying.includes(number))
          .map((number) =>
            h(
              "button",
              { type: "button", id: `setup-number-${number}`, onclick: () => this.#lay(number, first, last) },
              number,
            ),
          ),
      ),
    );
  }

  /** A number goes to the first space of its zone that has none. */
  #lay(number, first, last) {
    const at = this.track.findIndex((other, index) => other === null && index >= first - 1 && index < last);
    this.track[at] = number;
    this.#changed();
    const [next] = numbersOf(first, last).filter((other) => !this.track.includes(other));
    document.getElementById(`setup-number-${next}`)?.focus({ preventScroll: true });
  }

  #takeBack(space) {
    this.track[space - 1] = null;
    this.#changed();
  }

  #shuffleTrack() {
    this.track = Object.values(this.sheet.zones).flatMap(([first, last]) => shuffled(numbersOf(first, last)));
    this.#changed();
  }

  #clearTrack() {
    this.track = this.track.map(() => null);
    this.#changed();
  }

  #tools(name, shuffle, clear) {
    return h(
      "div",
      { class: "paris-setup-tools" },
      h("button", { type: "button", id: `setup-random-${name}`, onclick: shuffle }, t("paris.setup_random")),
      h("button", { type: "button", id: `setup-clear-${name}`, onclick: clear }, t("paris.setup_clear")),
    );
  }
}

function numbersOf(first, last) {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** The same things in an order by chance. @template T @param {T[]} things @returns {T[]} */
function shuffled(things) {
  const order = [...things];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
