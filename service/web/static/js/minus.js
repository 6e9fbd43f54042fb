/** Numbers with the minus of books, which is longer than the hyphen that programs write. */

/** A number that is written already, with a real minus. @param {number | string} points @returns {string} */
export function minus(points) {
  return String(points).replace("-", "−");
}

/** Whole points with their sign, which 0 has too. @param {number} points @returns {string} */
export function withSign(points) {
  return points < 0 ? minus(points) : `+${points}`;
}
