"""All areas of pages, one line for each."""

from collections.abc import Sequence

from service.web import (
    account,
    assets,
    editions,
    embed,
    installing,
    new_match,
    recording,
    repair,
    replay,
    rules,
    sign_in,
    start,
    statistics,
)
from service.web.pages import Pages

AREAS: Sequence[Pages] = (
    account.blueprint,
    editions.blueprint,
    embed.blueprint,
    assets.blueprint,
    installing.blueprint,
    new_match.blueprint,
    recording.blueprint,
    repair.blueprint,
    replay.blueprint,
    rules.blueprint,
    sign_in.blueprint,
    start.blueprint,
    statistics.blueprint,
)
