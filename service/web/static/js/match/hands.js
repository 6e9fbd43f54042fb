/** Whether this device opens the screens of seats in a match that is looked at. */

const KEPT = "hands";

/** @returns {boolean} */
export function areHandsShown() {
  return localStorage.getItem(KEPT) !== "hidden";
}

/** Open screens, or shut them; the device remembers it. @param {boolean} areShown */
export function showHands(areShown) {
  localStorage.setItem(KEPT, areShown ? "shown" : "hidden");
}
