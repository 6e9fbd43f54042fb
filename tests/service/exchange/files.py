"""Files as other programs write them, made by us in their real structure."""

from collections.abc import Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import orjson

CITE = 276498


def uuid(kind: str, number: int) -> str:
    return str(uuid5(NAMESPACE_URL, f"{kind}{number}"))


def player(number: int, name: str) -> dict[str, Any]:
    return {
        "uuid": uuid("player", number),
        "id": number,
        "name": name,
        "isAnonymous": False,
        "modificationDate": "2024-03-01 10:00:00",
        "metaData": '{"isNpc":0,"bgaUsername":""}',
    }


def game(number: int, name: str, bgg_id: int) -> dict[str, Any]:
    return {
        "uuid": uuid("game", number),
        "id": number,
        "name": name,
        "modificationDate": "2024-03-01 10:00:00",
        "cooperative": False,
        "highestWins": True,
        "noPoints": False,
        "usesTeams": False,
        "bggName": name,
        "bggYear": 2019,
        "bggId": bgg_id,
        "designers": "",
        "isBaseGame": 1,
        "isExpansion": 0,
        "rating": 0,
        "minPlayerCount": 2,
        "maxPlayerCount": 2,
        "copies": [],
        "urlThumb": "https://example.org/a.jpg",
    }


def play(number: int, scores: Sequence[tuple[int, Any, bool]], **members: Any) -> dict[str, Any]:
    return {
        "uuid": uuid("play", number),
        "modificationDate": "2024-03-02 23:00:00",
        "entryDate": "2024-03-02 22:59:00",
        "playDate": "2024-03-02 21:40:10",
        "usesTeams": False,
        "durationMin": 0,
        "ignored": False,
        "manualWinner": False,
        "rounds": 0,
        "bggId": 0,
        "importPlayId": 0,
        "gameRefId": 1,
        "locationRefId": 1,
        "rating": 0,
        "nemestatsId": 0,
        "scoringSetting": 0,
        "playerScores": [
            {
                "playerRefId": reference,
                "score": score,
                "winner": winner,
                "newPlayer": False,
                "startPlayer": False,
                "rank": 0,
                "seatOrder": 0,
                "metaData": '{"scoreUuid":"x"}',
            }
            for reference, score, winner in scores
        ],
        "expansionPlays": [],
        "playImages": "[]",
        **members,
    }


PLAYS = [
    play(1, [(1, "61", True), (2, "55", False)], comments="A close one, até ao fim."),
    play(2, [(2, "20+30+4", True), (1, "10-3", False)], playDate="2024-03-03 20:00:00"),
    play(3, [(1, "40", False), (2, "40", True)]),
    play(4, [(1, None, True), (2, None, False)]),
    play(5, [(1, "50", True), (2, "41", False)], ignored=True),
    play(6, [(1, "12", True), (3, "9", False)], gameRefId=2),
    play(7, [(1, "12", False), (3, "30", True)], locationRefId=None),
]
OUTCOMES = ["new", "new", "new", "refused", "refused", "skipped", "new"]


def export(plays: Sequence[dict[str, Any]] = tuple(PLAYS), *, is_old: bool = False) -> bytes:
    """An export of version 6, whose members are sorted, or of version 5 with plays before all that they refer to."""
    members: dict[str, Any] = {
        "challenges": [],
        "deletedObjects": [
            {"uuid": uuid("gone", 1), "modificationDate": "2024-01-01 10:00:00", "objectType": "Play", "externalId": 0}
        ],
        "games": [game(1, "Paris: La Cité de la Lumière", CITE), game(2, "Azul", 230802)],
        "groups": [],
        "locations": [{"uuid": uuid("place", 1), "id": 1, "name": "Café", "modificationDate": "2024-01-01 10:00:00"}],
        "players": [player(1, "Ana"), player(2, "Jan"), player(3, "Zofia Wójcik")],
        "plays": list(plays),
        "tags": [],
        "userInfo": {"meRefId": 1, "bggUsername": "ana", "exportDate": "2024-03-04 10:00:00", "appVersion": "6.14.2"},
    }
    if is_old:
        members = {name: members[name] for name in ("userInfo", "plays", "tags", "players", "locations", "games")}
        members["games"][0]["bggId"] = 0
        return orjson.dumps(members, option=orjson.OPT_INDENT_2)
    return orjson.dumps(members)


def many(number: int) -> bytes:
    """An export with many plays."""
    return export(
        [play(100 + one, [(1, str(40 + one % 20), one % 20 > 10), (2, "50", one % 20 < 10)]) for one in range(number)]
    )


BGG = """<?xml version="1.0" encoding="utf-8"?>
<plays username="ana" userid="1" total="4" page="1" termsofuse="https://boardgamegeek.com/xmlapi/termsofuse">
<play id="101" date="2024-03-02" quantity="1" length="60" incomplete="0" nowinstats="0" location="Café">
  <item name="Paris: La Cité de la Lumière" objecttype="thing" objectid="276498">
    <subtypes><subtype value="boardgame" /></subtypes></item>
  <comments>Rain &amp; tea</comments>
  <players>
    <player username="ana" userid="1" name="Ana" startposition="1" color="" score="61" new="0" rating="0" win="1" />
    <player username="" userid="0" name="Jan" startposition="2" color="" score="55  " new="0" rating="0" win="0" />
  </players>
</play>
<play id="102" date="2024-03-03" quantity="2" length="0" incomplete="0" nowinstats="0" location="">
  <item name="Paris: La Cité de la Lumière" objecttype="thing" objectid="276498"/>
  <players><player name="Ana" score="30" win="0"/><player name="Jan" score="33" win="1"/></players>
</play>
<play id="103" date="2024-3-3" quantity="1" incomplete="0" nowinstats="0">
  <item name="Paris: La Cité de la Lumière" objecttype="thing" objectid="276498"/>
  <players><player name="Ana" score="49-46ish" win="1"/><player name="Jan" score="33" win="0"/></players>
</play>
<play id="104" date="2024-03-03" quantity="1" incomplete="0" nowinstats="0">
  <item name="Azul" objecttype="thing" objectid="230802"/>
</play>
</plays>
""".encode()
BOMB = b"""<?xml version="1.0"?><!DOCTYPE plays [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<plays><play id="1" date="2024-03-02"><comments>&b;</comments></play></plays>"""
