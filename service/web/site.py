"""All areas of pages, one line for each."""

from collections.abc import Sequence

from service.web import (
    account,
    assets,
    editions,
    embed,
    exchange,
    installing,
    match_page,
    new_match,
    preview,
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
    exchange.blueprint,
    assets.blueprint,
    installing.blueprint,
    match_page.blueprint,
    new_match.blueprint,
    preview.blueprint,
    rules.blueprint,
    sign_in.blueprint,
    start.blueprint,
    statistics.blueprint,
)
