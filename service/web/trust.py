"""The page that shows how to trust the authority of this installation, and the downloads for that.

It is also served over plain HTTP, since a device that does not trust the authority cannot open anything else. So it
has its own style sheet, and no other file.
"""

import plistlib
from io import BytesIO
from uuid import NAMESPACE_URL, uuid5

import segno
from flask import Response, request
from markupsafe import Markup

from service.addresses import in_url
from service.certificates import Authority, CertificateUnusable, OwnFiles
from service.config import hostname
from service.context import services
from service.http.errors import not_found
from service.http.locale import request_language
from service.permissions import Right
from service.web.pages import Pages, render_bare
from service.web.static import files
from service.web.texts import Texts

CERTIFICATE, PROFILE, SHEET = "/trust/carnet.crt", "/trust/carnet.mobileconfig", "/trust/style.css"
SHEETS = ("css/tokens.css", "css/base.css", "css/trust.css")

blueprint = Pages("trust", __name__, is_for_plain_http=True)


@blueprint.page("/trust", "GET", Right.FREE)
def show_trust() -> Response:
    """The steps on each kind of device, with the fingerprint to compare."""
    config = services().config
    device = _device()
    response = render_bare(
        "trust.html",
        areas=("trust",),
        chosen=request_language(),
        headers={"Cache-Control": "no-cache"},
        sheet=f"{SHEET}?{files().digest}",
        authority=_authority(),
        host=_host(),
        device=device,
        code="" if device else _code(config.trust_address),
        certificate=CERTIFICATE,
        profile=f"{PROFILE}?lang={request_language()}",
        file=CERTIFICATE.rpartition("/")[2],
        open=config.secure_address_for(request.host, request.environ["SERVER_PORT"]) + "/",
    )
    response.vary.add("User-Agent")
    return response


@blueprint.page(SHEET, "GET", Right.FREE)
def get_sheet() -> Response:
    """The style of the page."""
    content = b"".join(files().by_name[name].content for name in SHEETS)
    return Response(content, headers={"Cache-Control": "no-cache"}, content_type="text/css; charset=utf-8")


@blueprint.page(CERTIFICATE, "GET", Right.FREE)
def get_certificate() -> Response:
    """The authority as Android and computers install it."""
    return _download(_authority().der, CERTIFICATE, "application/x-x509-ca-cert")


@blueprint.page(PROFILE, "GET", Right.FREE)
def get_profile() -> Response:
    """The authority as a configuration profile, as iPhones and iPads install it."""
    authority = _authority()
    about = {
        "PayloadDisplayName": authority.name,
        "PayloadDescription": Texts(request_language(), ["trust"]).t("trust.profile", host=_host()),
        "PayloadVersion": 1,
    }
    name = f"carnet.authority.{authority.fingerprint.replace(':', '').lower()[:16]}"
    certificate = {
        **about,
        "PayloadType": "com.apple.security.root",
        "PayloadIdentifier": f"{name}.root",
        "PayloadUUID": str(uuid5(NAMESPACE_URL, f"{name}.root")).upper(),
        "PayloadCertificateFileName": "carnet.crt",
        "PayloadContent": authority.der,
    }
    profile = {
        **about,
        "PayloadType": "Configuration",
        "PayloadIdentifier": name,
        "PayloadUUID": str(uuid5(NAMESPACE_URL, name)).upper(),
        "PayloadContent": [certificate],
    }
    return _download(plistlib.dumps(profile), PROFILE, "application/x-apple-aspen-config")


def _authority() -> Authority:
    """The authority, as it is on disk now; raise `Problem`."""
    try:
        authority = OwnFiles(services().config.own_folder).authority()
    except CertificateUnusable:
        authority = None
    if authority is None:
        raise not_found("authority")
    return authority


def _download(content: bytes, path: str, content_type: str) -> Response:
    name = path.rpartition("/")[2]
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"}
    return Response(content, headers=headers, content_type=content_type)


def _host() -> str:
    """The host by which the client came, or the one of our address if that is invented."""
    config = services().config
    address = config.secure_address_for(request.host, request.environ["SERVER_PORT"])
    return in_url(hostname(address.partition("//")[2]) or "")


def _device() -> str:
    """Whose steps are shown first; empty for what is no phone."""
    agent = request.user_agent.string
    if "iPhone" in agent or "iPad" in agent:
        return "ios"
    return "android" if "Android" in agent else ""


def _code(address: str) -> Markup:
    drawn = BytesIO()
    segno.make(address, micro=False).save(drawn, kind="svg", xmldecl=False, border=3, light="#fff", omitsize=True)
    return Markup(drawn.getvalue().decode())  # noqa: S704 - drawn by us
