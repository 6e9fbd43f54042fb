/** Keeps the screen awake while a match is recorded or watched, where browsers allow that. */

/**
 * Hold the screen awake as long as the page is seen and it is needed.
 * @param {() => boolean} isNeeded @returns {() => void} to be called when that may have changed
 */
export function keepAwake(isNeeded) {
  let lock = null;
  let asking = false;

  async function update() {
    const isWanted = isNeeded() && document.visibilityState === "visible";
    if (!isWanted) {
      const held = lock;
      lock = null;
      await held?.release();
      return;
    }
    if (lock !== null || asking || !navigator.wakeLock) return;
    asking = true;
    try {
      const held = await navigator.wakeLock.request("screen");
      lock = held;
      held.addEventListener("release", () => lock === held && (lock = null)); // browsers take it back from hidden pages
    } catch {
      // refused, as with a low battery: the screen goes dark as it always did
    } finally {
      asking = false;
    }
    if (lock !== null && !(isNeeded() && document.visibilityState === "visible")) await update();
  }

  document.addEventListener("visibilitychange", update);
  update();
  return update;
}
