/** What an edition document of La Cité de la Lumière says of single parts, and whose they are. */

/** The symbol of each postcard; if the card puts a piece on the board, it is called as the piece. */
export const CARD_SYMBOL = {
  bouquinistes: "annex",
  chartier: "table",
  fontaine_des_mers: "fountain",
  jardin_des_plantes: "garden",
  la_grande_lumiere: "grand_lamp",
  lampadaire: "lamp",
  le_peintre: "painter",
  le_penseur: "statue",
  levitation: "exchange",
  metropolitain: "metro",
  moulin_rouge: "dancer",
  sacre_coeur: "church",
};

/** @param {string} tile such as O4 @returns {string} */
export function seatOfTile(tile) {
  return tile[0] === "O" ? "orange" : "blue";
}

/** What an edition says is printed on a tile. @param {object} edition @param {string} tile @returns {string} */
export function faceOf(edition, tile) {
  return edition.faces[tile.slice(1)].value;
}

/** The shape of a building in rows. @param {object} edition @param {string} building @returns {string[]} */
export function shapeOf(edition, building) {
  return edition.buildings[building].value;
}

/** The other of the two seats. @param {string} seat @returns {"orange" | "blue"} */
export function rivalOf(seat) {
  return seat === "orange" ? "blue" : "orange";
}
