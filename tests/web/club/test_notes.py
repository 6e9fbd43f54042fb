"""Notes on moves where people are known by their names."""

from playwright.sync_api import expect

from tests.service.auth.people import Person, invited
from tests.service.harness import Match
from tests.web.club.signing_in import signed_in
from tests.web.conftest import DESK, PHONE, NewContext
from tests.web.tables import open_match


def test_a_note_tells_members_who_wrote_it(new_context: NewContext, site: str, olga: Person) -> None:
    match = Match(olga, olga.begin(visibility="public")["id"])
    eva = invited(olga, "Eva")
    Match(eva, match.id).annotate(0, text="Boring.")
    phone = signed_in(new_context.tab(PHONE), site, olga)
    open_match(phone, match, "?tool=notes")
    expect(phone.locator(".note p")).to_have_text(["Eva wrote:", "Boring."])
    desk = new_context.tab(DESK)
    open_match(desk, match, "?tool=notes")
    expect(desk.locator(".note p")).to_have_text(["Boring."])
