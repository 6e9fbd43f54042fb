/** The small pictures of boards that come with lists of matches. */

/**
 * A small picture from the markup that the service has drawn.
 * @param {string} markup @returns {Element}
 */
export function smallBoard(markup) {
  const drawn = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  drawn.setAttribute("aria-hidden", "true");
  return document.importNode(drawn, true);
}
