"""Drawing an element anew keeps the nodes that only have to be changed, with what readers have done to them."""

from playwright.sync_api import Page

from tests.web.checks import wait_until_shown

RENEW = """
async () => {
    const { $js_dom: { h, renew } } = await import(document.getElementById("boot").src);
    const host = document.body.appendChild(h("div"));
    const heard = [];
    const draw = (names, value, on) => renew(host,
        h("ol", { class: names.length > 2 ? "long" : null }, names.map((key) =>
            h("li", { key }, h("button", { type: "button", onclick: on ? () => heard.push(on + key) : null }, key)))),
        h("input", { "aria-label": "Reason", value }));
    const button = (name) => [...host.querySelectorAll("button")].find((each) => each.textContent === name);
    draw(["a", "b", "c"], "old", "first ");
    const [b, input] = [button("b"), host.querySelector("input")];
    b.focus();
    input.value = "typed";
    draw(["b", "c", "d"], "old", "second ");
    const kept = [button("b") === b, document.activeElement === b, host.querySelector("input").value];
    b.click();
    draw(["d", "c", "b"], "new", null);
    b.click();
    const names = [...host.querySelectorAll("li")].map((each) => each.textContent);
    const order = host.querySelector("ol").className;
    const isSame = button("b") === b;
    const clicks = [];
    const alike = (on) =>
        renew(host, h("p", {}, h("span", {}, h("button", { onclick: on && (() => clicks.push(on)) }))));
    for (const on of ["one", "two", null]) {
        alike(on);
        host.querySelector("button").click();
    }
    return { kept, heard, names, clicks, value: input.value, isSame, order };
}
"""


def test_what_is_drawn_anew_keeps_its_nodes_focus_and_what_was_typed(phone: Page) -> None:
    phone.goto("/")
    wait_until_shown(phone)
    assert phone.evaluate(RENEW) == {
        "kept": [True, True, "typed"],
        "heard": ["second b"],
        "names": ["d", "c", "b"],
        "clicks": ["one", "two"],
        "value": "new",
        "isSame": True,
        "order": "long",
    }
