"""Browsers in which somebody is signed in."""

from playwright.sync_api import Page

from tests.service.auth.people import Person


def signed_in(page: Page, site: str, person: Person) -> Page:
    """A page of a browser in which somebody is signed in from now on."""
    cookie = person.client.get_cookie("carnet_session")
    assert cookie is not None
    page.context.add_cookies([{"name": "carnet_session", "value": cookie.value, "url": site}])
    return page
