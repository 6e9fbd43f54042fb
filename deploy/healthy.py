"""Whether the service of a container is ready. From within, its certificate need not be verified."""

import os
import ssl
from urllib.request import urlopen

scheme = "https" if os.environ.get("CARNET_TLS") else "http"
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
url = f"{scheme}://127.0.0.1:{os.environ.get('CARNET_PORT', '8000')}/readyz"
urlopen(url, timeout=2, context=context)  # noqa: S310 - an address of our own
