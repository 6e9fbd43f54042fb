"""Checks of every page: axe-core, and that it has shown its content."""

from collections.abc import Callable
from time import monotonic

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

FINDINGS = """
async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(" "))]);
}
"""
"""The rules that are broken, and where.

Without the option axe-core also names each of the thousands of nodes that pass: 2.6 s of CPU time on the rules of Paris
in place of 1.5. Of 0.4 s for the page of a match the script takes 0.1, and the rest of the results would take 0.04.
"""

PATIENCE = 60_000
"""Milliseconds for which a page may take its time on a loaded machine."""
PAUSE = 50
MAX_LOOKS, LOOKS_EVERY = 4, 500
"""How often axe-core looks at a page in which it finds something, and the milliseconds between."""


def wait_until_shown(page: Page) -> None:
    """Wait until the script of a page has shown what it had to fetch."""
    expect(page.locator("main[aria-busy]")).to_have_count(0)


COUNT_FETCHES = """
{
    let pending = 0;
    const counted = async (work) => {
        pending += 1;
        try {
            return await work;
        } finally {
            setTimeout(() => (pending -= 1)); // what waited for it may fetch more
        }
    };
    const { fetch } = window;
    window.fetch = (...given) => counted(fetch(...given));
    for (const name of ["json", "text"]) {
        const read = Response.prototype[name];
        Response.prototype[name] = function () {
            return counted(read.call(this));
        };
    }
    window.isFetching = () => pending > 0;
}
"""
"""Lets `wait_until_at_rest` know what a page waits for; streams do not count."""
AT_REST = """
async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let still = 0; still < 3; still += 1) {
        await frame();
        if (isFetching() || document.querySelector("main[aria-busy]")) return false;
    }
    return true;
}
"""


def wait_until_at_rest(page: Page) -> None:
    """Wait until a page has drawn all that it fetches at its beginning, also what follows its content."""
    wait_until_shown(page)
    page.wait_for_function(AT_REST)


def eventually(page: Page, check: Callable[[], object]) -> None:
    """Try a check of a page again until it holds, as `expect` does: what comes late may change what is looked at."""
    latest = monotonic() + PATIENCE / 1000
    while True:
        try:
            check()
        except AssertionError:
            if monotonic() > latest:
                raise
        else:
            return
        page.wait_for_timeout(PAUSE)


def check_axe(page: Page) -> None:
    """Fail unless axe-core finds nothing wrong with a page as it is now."""
    wait_until_shown(page)
    found = axe_findings(page)
    assert found == [], f"{page.url}: {found}"


def axe_findings(page: Page) -> list[tuple[str, list[str]]]:
    """The findings of axe-core on a page: the rule and where it is broken; what still fades in is looked at again."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    found: list[tuple[str, list[str]]] = []
    for _ in range(MAX_LOOKS):
        found = [(rule, targets) for rule, targets in page.evaluate(FINDINGS)]
        if not found:
            break
        page.wait_for_timeout(LOOKS_EVERY)
    return found
