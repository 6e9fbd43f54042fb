"""What stays on a device of which somebody has signed out."""

import pytest
from playwright.sync_api import Error, expect

from tests.service.access.people import Person
from tests.web.club.signing_in import signed_in
from tests.web.conftest import PHONE, NewContext


@pytest.mark.usefixtures("network_may_go")
def test_what_was_read_does_not_stay_on_a_device_after_signing_out(
    new_context: NewContext, site: str, olga: Person
) -> None:
    address = f"/matches/{olga.begin(visibility='private')['id']}"
    context = new_context(PHONE)
    page = signed_in(context, site, olga)
    page.goto(address)
    expect(page.locator("#notices[data-kept=true]")).to_be_attached()
    page.goto("/account")
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_role("heading", name="Matches")).to_be_visible()
    context.set_offline(True)
    with pytest.raises(Error, match="ERR_"):
        page.goto(address)
