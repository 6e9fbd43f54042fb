"""All pages there are: one line for each area."""

from collections.abc import Sequence

from service.web import embed, frame, start
from service.web.pages import Pages

AREAS: Sequence[Pages] = (
    frame.blueprint,
    start.blueprint,
    embed.blueprint,
)
