"""The service worker and the manifest, so that browsers can install the pages and open them without a network."""

from flask import Response

from service.permissions import Right
from service.web.pages import Pages
from service.web.static import files

POLICY = "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The worker may fetch only our pages and files."""

blueprint = Pages("installing", __name__)


@blueprint.page("/service-worker.js", "GET", Right.FREE)
def get_service_worker() -> Response:
    """The service worker; at this address its scope is all pages."""
    file = files().by_name["js/service-worker.js"]
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
    return Response(file.content, headers=headers, content_type=file.content_type)
