"""Browsers in which somebody is signed in."""

from playwright.sync_api import BrowserContext, Page

from tests.service.auth.people import Person


def signed_in(context: BrowserContext, site: str, person: Person) -> Page:
    """A page in a browser in which somebody is signed in."""
    cookie = person.client.get_cookie("carnet_session")
    assert cookie is not None
    context.add_cookies([{"name": "carnet_session", "value": cookie.value, "url": site}])
    return context.new_page()
