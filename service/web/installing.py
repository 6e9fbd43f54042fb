"""What lets browsers install the pages and open them without network."""

from flask import Response

from service.access.rights import Right
from service.web.pages import Pages
from service.web.static import files

POLICY = "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The worker fetches pages and files of ours, and nothing else."""

blueprint = Pages("installing", __name__)


@blueprint.page("/service-worker.js", "GET", Right.FREE)
def get_service_worker() -> Response:
    """What a browser runs beside the pages; at this address it may answer for all of them."""
    file = files().by_name["js/service-worker.js"]
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
    return Response(file.content, headers=headers, content_type=file.content_type)
