/** Comparing JSON. */

/** Whether two JSON values are the same, whatever the order of members. @param {any} one @param {any} other @returns {boolean} */
export function isEqual(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isEqual(one[name], other[name]))
  );
}
