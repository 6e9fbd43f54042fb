"""Board Game Stats: a link that makes a play there, files of plays, and its export as plays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import IO, Any, Final
from urllib.parse import quote
from uuid import NAMESPACE_URL, UUID, uuid5

import orjson

from service.exchange.plays import BGG_IDS, Play, PlayedBy, Unread, game_named, points_of
from service.exchange.results import MatchResult
from service.exchange.scanning import NotJson, scan

SYSTEM: Final = "bgstats"
CREATE_PLAY: Final = "https://app.bgstatsapp.com/createPlay.html?data="
ABOUT: Final = "This is a Play file that can be read by Board Game Stats. Open it on a device with that app."
MAX_REFERRED: Final = 100_000
"""Players, places and games of a file."""
MAX_PLAYS: Final = 200_000
"""Plays of a file; one takes 300 bytes and a file has 50 MB at most."""
MAX_COMMENT: Final = 1000


def create_play(match: MatchResult, source: str, address: str) -> str:
    """The address at which Board Game Stats adds a finished match to its plays."""
    game: dict[str, Any] = {"name": match.game_name, "sourceGameId": match.game, "highestWins": True, "noPoints": False}
    if match.bgg_id:
        game["bggId"] = match.bgg_id
    players = [
        {
            "name": player.name,
            "sourcePlayerId": player.player_id,
            # It takes plays only if both are always there.
            "winner": player.winner,
            "startPlayer": player.start,
            "score": player.points,
            "rank": player.place,
            "role": player.role,
        }
        for player in match.players
    ]
    play = {
        "sourceName": source,
        "sourcePlayId": match.match_id,
        "playDate": match.ended_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": game,
        "players": players,
        "durationMin": match.minutes or 0,
        "comments": address,
        "board": match.variant,
        "location": match.venue or "",
    }
    return CREATE_PLAY + quote(orjson.dumps(play).decode(), safe="")


def play_file(matches: Iterable[MatchResult], moment: datetime) -> Iterator[bytes]:
    """A `.bgsplay` file of finished matches, part by part.

    Ids follow from those of matches, players and games, so that a second import changes plays and adds none. Plays
    refer to players, places and games by numbers, so these stand behind them, where all of them are known.
    """
    stamp = moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    players, places, games = _Numbered(), _Numbered(), _Numbered()
    yield b'{"about":' + orjson.dumps(ABOUT) + b',"plays":['
    for index, match in enumerate(matches):
        play = _play_of(match, stamp, players, places, games)
        yield (b"," if index else b"") + orjson.dumps(play)
    yield b'],"players":' + orjson.dumps(
        [
            {"uuid": _uuid("player", key), "id": number, "name": name, "isAnonymous": False, "modificationDate": stamp}
            for key, (number, name, _) in players.entries.items()
        ]
    )
    yield b',"locations":' + orjson.dumps(
        [
            {"uuid": _uuid("venue", key), "id": number, "name": name, "modificationDate": stamp}
            for key, (number, name, _) in places.entries.items()
        ]
    )
    yield b',"games":' + orjson.dumps(
        [
            {
                "uuid": _uuid("game", key),
                "id": number,
                "name": name,
                "modificationDate": stamp,
                "cooperative": False,
                "highestWins": True,
                "noPoints": False,
                "usesTeams": False,
                "bggName": name,
                "bggId": bgg_id or 0,
                "isBaseGame": 1,
                "isExpansion": 0,
            }
            for key, (number, name, bgg_id) in games.entries.items()
        ]
    )
    yield b',"tags":[],"groups":[],"challenges":[],"deletedObjects":[],"userInfo":{"meRefId":0}}'


class _Numbered:
    """Numbers by which a file refers to things."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[int, str, int | None]] = {}

    def number(self, key: str, name: str, bgg_id: int | None = None) -> int:
        """The number of a thing, a new one for one that is new."""
        return self.entries.setdefault(key, (len(self.entries) + 1, name, bgg_id))[0]


def _game_key(match: MatchResult) -> str:
    """The key of the game of a match; boxes with numbers of their own are games of their own there."""
    return match.game if match.bgg_id in {None, BGG_IDS.get(match.game)} else f"{match.game}:{match.bgg_id}"


def _play_of(match: MatchResult, stamp: str, players: _Numbered, places: _Numbered, games: _Numbered) -> dict[str, Any]:
    """A match as a play of a file, which refers to others by their numbers."""
    ended = match.ended_at.astimezone(UTC)
    scores = [
        {
            "playerRefId": players.number(player.player_id, player.name),
            "score": str(player.points),
            "winner": player.winner,
            "newPlayer": False,
            "startPlayer": player.start,
            "rank": player.place,
            "seatOrder": seat + 1 if match.seats_known else 0,
            "role": player.role,
        }
        for seat, player in enumerate(match.players)
    ]
    play: dict[str, Any] = {
        "uuid": _uuid("match", match.match_id),
        "modificationDate": stamp,
        "entryDate": stamp,
        "playDate": ended.strftime("%Y-%m-%d %H:%M:%S"),
        "playDateYmd": int(ended.strftime("%Y%m%d")),
        "usesTeams": False,
        "durationMin": match.minutes or 0,
        "ignored": False,
        "manualWinner": True,
        "rounds": 0,
        "bggId": 0,
        "importPlayId": 0,
        "gameRefId": games.number(_game_key(match), match.game_name, match.bgg_id),
        "rating": 0,
        "nemestatsId": 0,
        "scoringSetting": 0,
        "playerScores": scores,
        "expansionPlays": [],
        "board": match.variant,
        "comments": match.comments[:MAX_COMMENT],
    }
    if match.venue:
        play["locationRefId"] = places.number(match.venue, match.venue)
    return play


def _uuid(kind: str, key: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"carnet:{kind}:{key}"))


def read(file: IO[bytes], bgg_ids: Mapping[int, str]) -> Iterator[Play | Unread]:
    """The plays of an export or of a file of plays, in order; raise `NotJson`.

    The file is read twice: what plays refer to may stand behind them.
    """
    referred, number = _Referred(bgg_ids), 0
    for name, value in scan(file):
        number += name == "plays"
        if number > MAX_PLAYS:
            raise NotJson(f"it has more than {MAX_PLAYS:,} plays")
        referred.add(name, value)
    file.seek(0)
    number = 0
    for name, value in scan(file):
        if name == "plays":
            number += 1
            yield referred.play(value, number)


class _Referred:
    """Players, places and games of a file, by the numbers that plays refer to."""

    def __init__(self, bgg_ids: Mapping[int, str]) -> None:
        self._bgg_ids = bgg_ids
        self._players: dict[Any, str] = {}
        self._places: dict[Any, str] = {}
        self._games: dict[Any, str | None] = {}

    def add(self, member: str, value: Any) -> None:
        """Remember one of them."""
        if member not in {"players", "locations", "games"} or not isinstance(value, dict):
            return
        number, name = value.get("id"), value.get("name")
        if not isinstance(number, int) or not isinstance(name, str):
            return
        known: dict[Any, Any] = {"players": self._players, "locations": self._places}.get(member, self._games)
        if len(known) < MAX_REFERRED:
            known[number] = name if member != "games" else game_named(name, value.get("bggId"), self._bgg_ids)

    def play(self, value: Any, number: int) -> Play | Unread:
        """A play with the names of what it refers to."""
        if not isinstance(value, dict) or not isinstance(uuid := value.get("uuid"), str) or not _is_uuid(uuid):
            return Unread(f"play {number}", "it has no uuid", number)
        game = self._games.get(_reference(value.get("gameRefId")))
        if game is None:
            return Unread(uuid, "it is of another game", number, is_other_game=True)
        if value.get("ignored"):
            return Unread(uuid, "it is left out of statistics there", number)
        played_at = _moment(value.get("playDate"))
        if played_at is None:
            return Unread(uuid, "its date cannot be read", number)
        scores = value.get("playerScores")
        if not isinstance(scores, list) or not scores:
            return Unread(uuid, "nobody played", number)
        players = [self._played_by(score) for score in scores]
        if None in players:
            return Unread(uuid, "one of its players is not in the file", number)
        comments = value.get("comments")
        venue = self._places.get(_reference(value.get("locationRefId")))
        changed_at = value.get("modificationDate")
        return Play(
            SYSTEM,
            uuid.lower(),
            game,
            played_at,
            [player for player in players if player is not None],
            venue,
            comments if isinstance(comments, str) else "",
            number,
            changed_at if isinstance(changed_at, str) else None,
        )

    def _played_by(self, score: Any) -> PlayedBy | None:
        if not isinstance(score, dict):
            return None
        name = self._players.get(_reference(score.get("playerRefId")))
        anonymous = score.get("anonymousName")
        if isinstance(anonymous, str) and anonymous.strip():
            name = anonymous
        if name is None:
            return None
        rank = score.get("rank")
        winner = bool(score.get("winner")) or rank == 1
        return PlayedBy(name, points_of(score.get("score")), winner, bool(score.get("startPlayer")))


def _reference(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _moment(text: Any) -> datetime | None:
    """A time of the phone, without a zone."""
    if not isinstance(text, str) or len(text) > len("2020-10-23 19:16:58"):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=None)


def is_export(members: Sequence[str]) -> bool:
    """Whether these are first members of a file of Board Game Stats."""
    return bool({"plays", "userInfo", "challenges", "deletedObjects", "locations", "about"} & set(members))
