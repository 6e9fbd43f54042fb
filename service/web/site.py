"""All pages there are: one line for each area."""

from collections.abc import Sequence

from service.web import (
    account,
    embed,
    frame,
    new_match,
    recording,
    rules,
    sign_in,
    start,
)
from service.web.pages import Pages

AREAS: Sequence[Pages] = (
    account.blueprint,
    embed.blueprint,
    frame.blueprint,
    new_match.blueprint,
    recording.blueprint,
    rules.blueprint,
    sign_in.blueprint,
    start.blueprint,
)
