"""A hand that never leaves the keyboard: it walks to things with Tab, as the browser leads it, and presses Enter."""

from playwright.sync_api import Locator, Page

STANDING = """
(target) => {
    const tags = "a[href], button, input, select, textarea, summary, [tabindex]";
    const stops = [...document.querySelectorAll(tags)].filter((each) =>
        each.tabIndex >= 0 && !each.disabled && !each.closest("[inert]")
        && each.checkVisibility({ visibilityProperty: true }));
    return [stops.indexOf(document.activeElement), stops.indexOf(target)];
}
"""
"""Where the focus is among all that Tab leads to, and where the target is; -1 for neither."""
ROUNDS, PAUSE = 40, 50
"""How often the way is looked for anew, since what is walked past may change, and milliseconds of a pause."""


class Keyboard:
    """Reaches what is on a page by keys, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.strokes = 0

    def press(self, key: str, times: int = 1) -> None:
        """Press a key."""
        self.strokes += times
        for _ in range(times):
            self.page.keyboard.press(key)

    def reach(self, target: Locator) -> None:
        """Walk to something with Tab, the shorter way round; fail if that does not lead there."""
        for _ in range(ROUNDS):
            here, there = target.evaluate(STANDING)
            if here == there >= 0:
                return
            if there < 0:
                self.page.wait_for_timeout(PAUSE)  # a move may be on its way, which locks the form
            elif here < 0:
                self.press("Tab")
            else:
                self.press("Tab" if there > here else "Shift+Tab", abs(there - here))
        raise AssertionError(f"the tab key never came to {target}")

    def enter(self, target: Locator) -> None:
        """Walk to something and press Enter."""
        target.wait_for()
        self.reach(target)
        self.press("Enter")
