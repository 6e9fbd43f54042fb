"""Whatever the API document allows or forbids is answered as it says, and no operation does nothing but refuse."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from hypothesis import HealthCheck, settings
from schemathesis import Case, Config, GenerationMode, Response, SerializationContext
from schemathesis.core import NotSet
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection

from service.anchors.making import make_anchor
from service.app import create_app
from service.db.pool import Database
from service.http.errors import TITLES
from service.http.responses import NDJSON
from service.http.routing import Route, routes_of
from service.server.postgres import Server
from tests.service.auth.conftest import SIGN_IN, application
from tests.service.auth.people import ALL_SCOPES, Person, first_owner, invited
from tests.service.databases import copy_of
from tests.service.exchange import files
from tests.service.harness import OPENING, SETUP, bring_into_conflict, entries, finished_match, ok

# A thread of the pool draws how long each connection lives, and may do so while Hypothesis makes up a request.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"
)

QUIET: Mapping[str, Any] = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
TRIED = "requests made up from the API document"
PLAIN = {"Accept-Encoding": "identity"}
"""Over WSGI nobody unpacks what is compressed."""
JUDGED = frozenset({400, 406, 412, 413, 415, 422})
"""The statuses of what may be wrong with a request, whatever the state of a match."""
WITH_VALUES_THAT_DEPEND = frozenset(
    "assign_players change_annotation change_details change_visibilities compare_with_paper correct create_annotation "
    "create_edition create_match create_token export_match export_matches get_game_statistics get_head_to_head "
    "get_opening_statistics get_play_link get_player_statistics get_rating_history get_replay list_feature_statistics "
    "list_player_statistics list_ratings map_file_names".split()
)
"""Operations whose requests of the right form can be malformed: seats, names and points that do not go together, times
ahead, time zones, values of an edition, people whom one does not know, results of matches that go on. In lists these
are cursors, in files that are imported all that they contain."""


def refused(app: Flask) -> Mapping[str, frozenset[str]]:
    """Refusals of requests of the right form, by operation: they depend on the match, the people or the clock."""

    def of(route: Route) -> Iterator[str]:
        yield from (slug for slug in route.problems if TITLES[slug][0] in JUDGED)
        if route.if_match:
            yield "stale-version"
        if route.lines or route.name in WITH_VALUES_THAT_DEPEND:
            yield "malformed"

    return {route.name: frozenset(of(route)) for _, route in routes_of(app)}


@dataclass(frozen=True, slots=True)
class Scene:
    """A database with something to be found under every id."""

    name: str
    matches: list[str]
    annotations: list[str]
    players: list[str]
    editions: list[str]
    tokens: list[str]
    accounts: list[str]
    invitations: list[str]
    links: list[tuple[str, str]]
    """Matches with their links."""
    sign_in_links: list[tuple[str, str]]
    """Accounts with the links by which one signs in to them."""
    sessions: list[str]
    imports: list[str]
    token: str
    """The secret by which the owner asks."""
    suited: Mapping[str, list[str]]
    """Matches and players with which an operation succeeds, where most would not do."""


def set_scene(name: str, app: Flask) -> Scene:
    """Matches under way, abandoned, finished and of which only the result is known; people merged and not."""
    olga = first_owner(app)
    accounts = [invited(olga, someone).account["id"] for someone in ("Ana", "Eva")]
    token = olga.token(*ALL_SCOPES)["secret"]
    service = Person(app, token)

    def post(path: str, body: Any, status: int = 201) -> Any:
        return ok(service.post(path, body), status)

    def play(orange: str, blue: str, moves: Sequence[Mapping[str, Any]] = (), setup: Any = SETUP) -> str:
        match = post("/matches", new_match(orange, blue, setup))
        if moves:
            post(f"/matches/{match['id']}/moves", {"moves": moves})
        return str(match["id"])

    opening = entries(OPENING)
    abandoned = play("Eva", "Jan", opening)
    post(f"/matches/{abandoned}/abandon", None, 200)
    known = play("Ana", "Jan", setup={"result_only": True, "points": {"orange": 48, "blue": 57}})
    matches = [play("Ana", "Jan", opening), play("Ana", "Eva"), play("Jan", "Eva", opening[:3])]
    matches += [abandoned, known, play("Ana", "Jan", finished_match())]
    note = {"ply": 2, "text": "Hm.", "line": opening[2:4]}
    annotations = [post(f"/matches/{matches[0]}/annotations", note)["id"] for _ in range(3)]
    for someone in ("Ida", "Ola", "Una"):
        play(someone, "Zoe")
    players = {player["name"]: player["id"] for player in service.all_items("/players")}
    post(f"/players/{players['Ida']}/merge", {"into": players["Ana"]}, 200)
    edition = {"title": "Ours", "based_on": "devir-2019", "changes": {"chimneys": 6}}
    editions = ["devir-2019", post("/games/cite-lumiere/editions", edition)["edition"]]
    changed = play("Ana", "Jan", opening)
    bring_into_conflict(service.client.application, changed)
    make_anchor(app.extensions["carnet"].database, Ed25519PrivateKey.generate())
    imported = service.raw("POST", "/matches/import", files.export(), "application/octet-stream")
    suited = {"accept_rules": [changed], "reopen": [abandoned], "get_play_link": [known]}
    suited |= {"unmerge_player": [players["Ida"]], "merge_player": [players["Ola"]]}
    begun = [matches[0], matches[2]]
    suited["revoke_link"] = begun
    suited |= dict.fromkeys(
        "abandon check_moves compare_with_paper correct create_annotation record_moves restore undo".split(), begun
    )
    tokens = [service.token("read")["id"] for _ in range(3)]
    invitations = [post("/invitations", {"name": someone})["id"] for someone in ("Una", "Zoe")]
    links = [(match, post(f"/matches/{match}/links", {"allows": "record"})["id"]) for match in matches[:3]]
    account_id = olga.account["id"]
    sign_in_links = [post(f"/accounts/{account_id}/sign-in-links", None) for _ in range(4)]
    Person(app).sign_in(sign_in_links.pop()["secret"])
    return Scene(
        name,
        matches,
        annotations,
        list(players.values()),
        editions,
        tokens=tokens,
        accounts=[account_id, *accounts],
        invitations=invitations,
        links=links,
        sign_in_links=[(account_id, link["id"]) for link in sign_in_links],
        sessions=[session["id"] for session in service.all_items("/sessions")],
        imports=[ok(imported)["id"]],
        token=token,
        suited={**suited, "close_account": accounts},
    )


def drawn_number(case: Case) -> int:
    """A number that depends on what was drawn alone, and on no address in memory."""
    body = None if isinstance(case.body, NotSet) else case.body
    return crc32(repr((case.path_parameters, case.query, body)).encode())


def without_points(json: Any) -> Any:
    """JSON whose integers are written as such, which JSON Schema cannot ask for."""
    if isinstance(json, dict):
        return {name: without_points(member) for name, member in json.items()}
    if isinstance(json, list):
        return [without_points(member) for member in json]
    return int(json) if isinstance(json, float) and json.is_integer() else json


def new_match(orange: str, blue: str, setup: Any) -> Mapping[str, Any]:
    """A match that everybody may read, so that who may not write is told so."""
    return {"game": "cite-lumiere", "players": people(orange, blue), "setup": setup, "visibility": "public"}


def people(orange: str, blue: str) -> list[Mapping[str, str]]:
    return [{"seat": "orange", "name": orange}, {"seat": "blue", "name": blue}]


class Stage:
    """The application on a scene, and the answers that it gave."""

    def __init__(self, app: Flask, scene: Scene) -> None:
        self.app = app
        self.scene = scene
        self.service = Person(app, scene.token)
        self.answers: Counter[int] = Counter()
        self.tried = ""

    def fit(self, case: Case) -> None:
        """Make most requests fit: ids that exist, plies of the match, legal moves, the present version.

        As long as nothing has succeeded a request of the right form gets what leads to success, so that no luck is
        needed: chance 0 stands for it.
        """
        assert case.meta is not None
        parts = {place: part.mode is GenerationMode.POSITIVE for place, part in case.meta.components.items()}
        operation = str(case.operation.definition.raw["operationId"])
        waits = not any(status < 300 for status in self.answers)
        chance = 0 if waits else drawn_number(case)
        if parts.get(ParameterLocation.PATH, False):
            self._fit_path(case.path_parameters, chance, self.scene.suited.get(operation, ()) if waits else ())
        if case.meta.generation.mode is not GenerationMode.POSITIVE:
            return
        if not case.headers.get("If-Match", '"').startswith(('"', "*")):
            case.headers["If-Match"] = '"1"'  # some come without the quotes that the pattern asks for
        if isinstance(case.body, dict):
            case.body = without_points(case.body)
        if chance % 5 == 0 and not waits:
            return
        if operation == "import_matches":
            case.media_type, case.body = "application/octet-stream", files.many(1 + chance % 3)
            case.query = {name: value for name, value in case.query.items() if name not in {"format", "tz"}}
        if operation == "get_head_to_head":
            one, other = self.scene.players[:2]
            case.query |= {"a": one, "b": other}
        match_id = case.path_parameters.get("match_id")
        at = self.service.get(f"/matches/{match_id}").json if match_id in self.scene.matches else None
        if at is not None and "If-Match" in case.headers and (chance % 3 or waits):
            case.headers["If-Match"] = f'"{at["version"]}"'
        if at is not None and "version" in case.query:
            case.query["version"] = 1 + chance % at["version"]
        if isinstance(case.body, dict):
            case.body = self._fit_body(operation, case.body, at, chance)

    def _fit_path(self, path: dict[str, Any], chance: int, suited: Sequence[str]) -> None:
        known: dict[str, list[Any]] = {
            "account_id": self.scene.accounts,
            "annotation_id": self.scene.annotations,
            "edition_id": self.scene.editions,
            "game_id": ["cite-lumiere"],
            "import_id": self.scene.imports,
            "invitation_id": self.scene.invitations,
            "link_id": [link for _, link in self.scene.links],
            "match_id": self.scene.matches,
            "number": [1],
            "player_id": self.scene.players,
            "ply": list(range(4)),
            "slug": ["malformed", "not-found"],
            "session_id": self.scene.sessions,
            "token_id": self.scene.tokens,
        }
        is_known = chance == 0 or chance % 7 > 0
        if "link_id" in path and is_known:
            of, links = (
                ("match_id", self.scene.links) if "match_id" in path else ("account_id", self.scene.sign_in_links)
            )
            path[of], path["link_id"] = links[chance % len(links)]
            return
        for name in path:
            if suited:
                path[name] = suited[chance % len(suited)]
            elif is_known:
                path[name] = known[name][chance % len(known[name])]

    def _fit_body(self, operation: str, body: dict[str, Any], at: Any, chance: int) -> dict[str, Any]:
        match operation:
            case "assign_players":
                return {"players": people(*[("Ana", "Ida"), ("Ola", "Jan"), ("Una", "Ola")][chance % 3])}
            case "change_details":
                # A match that were no longer public would be gone for who asks without a token, and not refused.
                return {**body, "visibility": "public"} if "visibility" in body else body
            case "change_visibilities":
                return {"visibility": "public"}
            case "create_match":
                return {
                    **body,
                    "edition": self.scene.editions[chance % 2],
                    "players": people("Ana", f"Jan {chance % 4}"),
                }
            case "create_edition":
                return {**body, "based_on": self.scene.editions[chance % 2], "changes": {"chimneys": 5 + chance % 3}}
            case "map_file_names":
                known = self.scene.players
                return {"names": [{**name, "player_id": known[chance % len(known)]} for name in body["names"]]}
            case "sign_in" if chance % 2 == 0:
                link = self.service.post(f"/accounts/{self.scene.accounts[0]}/sign-in-links")
                return {**body, "link": ok(link, 201)["secret"]}
            case "merge_player":
                return {"into": self.scene.players[(chance // 7) % len(self.scene.players)]}
        return body if at is None else self._fit_to_match(operation, body, at, chance)

    def _fit_to_match(self, operation: str, body: dict[str, Any], at: Any, chance: int) -> dict[str, Any]:
        moves = ok(self.service.get(f"/matches/{at['id']}/legal-moves"))["moves"]
        legal = [{"seat": at["to_move"], "move": moves[chance % len(moves)]}] if moves else []
        match operation:
            case "record_moves" | "check_moves" if legal:
                return {"moves": legal} if "moves" in body else legal[0]
            case "compare_with_paper":
                return {"notes": [{"ply": chance % (at["ply"] + 1), "points": {"orange": 0, "blue": chance % 9}}]}
            case "create_annotation":
                return {**body, "ply": chance % (at["ply"] + 1), "line": []}
            case "undo":
                return {"to_ply": chance % (at["ply"] + 1)}
            case "restore":
                return {"version": 1 + chance % at["version"]}
            case "correct" if at["ply"] and not chance:
                return {"ply": at["ply"], "action": "remove"}
            case "correct" if at["ply"] and "setup" not in body:
                return {**body, "ply": 1 + chance % at["ply"], "on_conflict": "truncate"}
        return body


def a_request_of_the_right_form_is_refused_for_a_reason(_: Any, response: Response, case: Case) -> None:
    """No more than the table says; what other checks know of statuses cannot tell one 422 from another."""
    assert case.meta is not None
    if case.meta.generation.mode is GenerationMode.POSITIVE and response.status_code in {400, 406, 412, 413, 415, 422}:
        slug = response.json()["type"].rpartition("/")[2]
        raw = case.operation.definition.raw
        reused = "Idempotency-Key" in case.headers and slug == "key-reused"
        assert reused or slug in REFUSED[raw["operationId"]], response.text


SIGNED_IN: Sequence[Mapping[str, object]] = [{"token": []}, {"session": []}]
"""The security of an operation that names none."""
DESCRIBED = create_app(SIGN_IN, Database(""))
REFUSED = refused(DESCRIBED)


@schemathesis.serializer(NDJSON)
def write_lines(_: SerializationContext, value: Any) -> bytes:
    """A file of lines, which is nothing but bytes to the API document."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


def read_schema(*, covered: bool) -> Any:
    config = Config.from_dict(
        {
            "checks": {
                "positive_data_acceptance": {"enabled": False},
                "negative_data_rejection": {
                    "expected-statuses": ["400", "404", "405", "409", "412", "413", "415", "422"]
                },
            },
            "generation": {"with-security-parameters": False},
            "phases": {"coverage": {"enabled": covered}},
        }
    )
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", DESCRIBED, config=config)


few, many = read_schema(covered=False), read_schema(covered=True)


@pytest.fixture(scope="session")
def scene(server: Server, run_sql: Callable[[str], None], template: str) -> Scene:
    """The scene that all tests begin with."""
    name = "carnet_scene"
    run_sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    with application(server.dsn(name)) as app:
        return set_scene(name, app)


@contextmanager
def copied(scene: Scene, server: Server, run_sql: Callable[[str], None]) -> Iterator[Flask]:
    """The application on a copy of the scene."""
    with copy_of(scene.name, server, run_sql) as name, application(server.dsn(name)) as app:
        yield app


@pytest.fixture
def changed(
    server: Server, run_sql: Callable[[str], None], scene: Scene, record_property: Callable[[str, object], None]
) -> Iterator[Stage]:
    """A scene of the test's own."""
    with copied(scene, server, run_sql) as app:
        stage = Stage(app, scene)
        yield stage
    record_property(TRIED, stage.answers.total())


@pytest.fixture(scope="module")
def app_of_readers(server: Server, run_sql: Callable[[str], None], scene: Scene) -> Iterator[Flask]:
    """The application of the tests that only read."""
    with copied(scene, server, run_sql) as app:
        yield app


@pytest.fixture
def read(app_of_readers: Flask, scene: Scene, record_property: Callable[[str, object], None]) -> Iterator[Stage]:
    """A scene that others read too."""
    stage = Stage(app_of_readers, scene)
    yield stage
    record_property(TRIED, stage.answers.total())


@contextmanager
def one_succeeds(stage: Stage) -> Iterator[Stage]:
    """Fail unless at least one request succeeds."""
    yield stage
    assert any(status < 300 for status in stage.answers), (stage.tried, stage.answers)


@pytest.fixture
def stage(changed: Stage) -> Iterator[Stage]:
    """A scene of the test's own on which at least one request must succeed."""
    with one_succeeds(changed) as stage:
        yield stage


@pytest.fixture
def stage_of_readers(read: Stage) -> Iterator[Stage]:
    """A scene that others read too on which at least one request must succeed."""
    with one_succeeds(read) as stage:
        yield stage


@few.exclude(method="GET").parametrize()
@settings(max_examples=4, derandomize=True, **QUIET)
def test_requests(stage: Stage, case: Case) -> None:
    try_out(stage, case)


@few.include(method="GET").parametrize()
@settings(max_examples=4, derandomize=True, **QUIET)
def test_requests_that_read(stage_of_readers: Stage, case: Case) -> None:
    try_out(stage_of_readers, case)


@pytest.mark.soak
@many.parametrize()
@settings(max_examples=50, **QUIET)
def test_many_requests(stage: Stage, case: Case) -> None:
    try_out(stage, case)


def is_lenient(case: Case) -> bool:
    """Tell if malformed content is no refusal: it is the answer of a check, and dry runs are kept under no key."""
    is_dry = (isinstance(case.body, dict) and case.body.get("dry_run") is True) or "dry_run" in (case.query or {})
    return is_dry or case.operation.definition.raw["operationId"] == "check_moves"


def hides(case: Case) -> bool:
    """After this strangers are told that there is no such match, and not that they should sign in."""
    is_narrowed = isinstance(case.body, dict) and case.body.get("visibility") in ["private", "unlisted", "club"]
    return is_narrowed or case.operation.definition.raw["operationId"] == "withdraw"


def try_out(stage: Stage, case: Case) -> None:
    stage.fit(case)
    stage.tried = case.operation.label
    response = case.call(app=stage.app, headers=PLAIN | stage.service.headers)
    stage.answers[response.status_code] += 1
    case.validate_response(
        response,
        additional_checks=[a_request_of_the_right_form_is_refused_for_a_reason],
        excluded_checks=[
            *([negative_data_rejection] if is_lenient(case) else []),
            *([ignored_auth] if hides(case) else []),
        ],
        headers=stage.service.headers,
        transport_kwargs={"app": stage.app},
    )


def try_out_as_stranger(stage: Stage, case: Case) -> None:
    stage.fit(case)
    response = case.call(app=stage.app, headers=PLAIN)
    stage.answers[response.status_code] += 1
    ways = case.operation.definition.raw.get("security", SIGNED_IN)
    assert response.status_code >= 400 or ways == [] or {} in ways
    case.validate_response(
        response,
        excluded_checks=[negative_data_rejection, ignored_auth],
        transport_kwargs={"app": stage.app},
    )


@few.exclude(method="GET").parametrize()
@settings(max_examples=1, derandomize=True, **QUIET)
def test_requests_of_strangers(changed: Stage, case: Case) -> None:
    try_out_as_stranger(changed, case)


@few.include(method="GET").parametrize()
@settings(max_examples=1, derandomize=True, **QUIET)
def test_requests_of_strangers_that_read(read: Stage, case: Case) -> None:
    try_out_as_stranger(read, case)
