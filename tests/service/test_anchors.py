"""Anchors: what was signed before is found cut, changed or gone afterwards, even in a database that was all forged."""

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from domain.canonical import canonical
from domain.match import Draft, EventKind, seal
from service.anchors import making, merkle, proofs
from service.cli import main
from service.db import anchors
from service.db.pool import Database
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, UNKNOWN_ID, Match, Service, lines, ok, problem
from tests.service.tampering import as_service, tamper


@dataclass(frozen=True)
class Carnet:
    """The command on the database of the test."""

    dsn: str
    folder: Path

    def __call__(self, *arguments: str | Path, **settings: str) -> Result:
        environment = {"DATABASE_URL": as_service(self.dsn), "CARNET_DATA": str(self.folder), **settings}
        return CliRunner().invoke(main, [str(argument) for argument in arguments], env=environment)

    def anchor(self) -> tuple[Path, Path]:
        """A new anchor and its heads, in files."""
        number = len(list(self.folder.glob("anchor-*.json")))
        anchor, heads = self.folder / f"anchor-{number}.json", self.folder / f"heads-{number}"
        made = self("anchor", "--heads", heads)
        assert made.exit_code == 0, made.output
        anchor.write_text(made.stdout)
        return anchor, heads


@pytest.fixture
def carnet(dsn: str, tmp_path: Path) -> Carnet:
    return Carnet(dsn, tmp_path)


def stated(anchor: Path) -> Any:
    return orjson.loads(anchor.read_bytes())["anchor"]


def cut(dsn: str, match_id: str) -> str:
    """Take the last event away, and let the row of the match be as before it."""
    tamper(dsn, "DELETE FROM events WHERE match_id = %s AND seq = 7", match_id)
    tamper(dsn, "UPDATE matches SET version = 6, ply = 5, to_move = 'blue' WHERE match_id = %s", match_id)
    return "event 7: it is missing"


def rewrite(dsn: str, match_id: str) -> str:
    """Replace a move, and compute the chain anew."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute(
            "SELECT seq, kind, payload, actor, recorded_at FROM events WHERE match_id = %s ORDER BY seq", (match_id,)
        ).fetchall()
    prev_hash = None
    for seq, kind, payload, actor, recorded_at in rows:
        draft = Draft(EventKind(kind), payload.replace('"U6"', '"V3"'))
        event = seal(draft, match_id=match_id, seq=seq, actor=actor, recorded_at=recorded_at, prev_hash=prev_hash)
        tamper(
            dsn,
            "UPDATE events SET payload = %s, prev_hash = %s, hash = %s WHERE match_id = %s AND seq = %s",
            *(event.text, event.prev_hash, event.hash, match_id, seq),
        )
        prev_hash = event.hash
    return "event 7: it is not the one that was anchored"


def delete(dsn: str, match_id: str) -> str:
    """Remove a match and all traces of it."""
    for table in ("events", "match_details", "match_seats", "matches"):
        tamper(dsn, f"DELETE FROM {table} WHERE match_id = %s", match_id)  # noqa: S608
    return "it is missing, as is all of the match"


@pytest.mark.parametrize("attack", [cut, rewrite, delete])
def test_what_was_anchored_and_forged_since_is_named(
    carnet: Carnet, new_match: NewMatch, dsn: str, attack: Callable[[str, str], str]
) -> None:
    forged, grown, whole = [new_match() for _ in range(3)]
    for match in (forged, grown, whole):
        match.record(*OPENING)
    anchor, heads = carnet.anchor()
    grown.record("orange take O4")
    new_match()
    unharmed = carnet("verify", "--anchor", anchor, "--heads", heads)
    assert (unharmed.stdout, unharmed.exit_code) == ("All 4 matches are as they were recorded.\n", 0)

    message, found = attack(dsn, forged.id), unharmed
    for arguments in ((), ("--anchor", anchor), ("--heads", heads), ("--anchor", anchor, "--heads", heads)):
        found = carnet("verify", *arguments)
        assert found.exit_code == 1
        assert found.stdout.startswith(f"Match {forged.id}: ") and message in found.stdout
        assert found.stdout.splitlines()[-1].startswith("1 of ")
    if attack is not delete:
        assert ok(forged.get("/verify"))["detail"] in found.stdout
    assert ok(grown.get("/verify"))["valid"]

    # An intruder who owns the database forges its anchors too; those kept elsewhere are beyond reach.
    tamper(dsn, "TRUNCATE anchors, anchor_heads")
    assert carnet("verify").exit_code == 0
    without = carnet("verify", "--anchor", anchor)
    assert without.exit_code == 1
    assert "are not those of anchor 1; compare with --heads" in without.stdout
    named = carnet("verify", "--heads", heads)
    assert named.exit_code == 1
    assert f"Match {forged.id}: " in named.stdout and message[:20] in named.stdout
    assert grown.id not in named.stdout and whole.id not in named.stdout


def test_an_anchor_is_signed_published_and_follows_the_one_before(
    carnet: Carnet, match: Match, service: Service, new_match: NewMatch
) -> None:
    first, _ = carnet.anchor()
    match.record(*OPENING)
    second, heads = carnet.anchor()
    key_file = carnet.folder / "anchor-key.pem"
    assert key_file.stat().st_mode & 0o777 == 0o600

    document = orjson.loads(second.read_bytes())
    signed = canonical(document["anchor"]).encode()
    pem = f"-----BEGIN PUBLIC KEY-----\n{document['anchor']['key']}\n-----END PUBLIC KEY-----\n"
    key = load_pem_public_key(pem.encode())
    assert isinstance(key, Ed25519PublicKey)
    key.verify(base64.b64decode(document["signature"]), signed)
    assert (stated(first)["previous"], stated(first)["number"], stated(second)["number"]) == (None, 1, 2)
    assert stated(second)["previous"] == sha256(canonical(stated(first)).encode()).hexdigest()
    head = {"match_id": match.id, "version": 7, "hash": match.events()[-1]["hash"]}
    assert heads.read_text() == canonical(head) + "\n"
    assert heads.stat().st_mode & 0o777 == 0o600
    assert stated(second)["root"] == sha256(b"\0" + canonical(head).encode()).hexdigest()

    assert service.all_items("/anchors?limit=1") == [document, orjson.loads(first.read_bytes())]
    assert lines(service.get("/anchors", {"Accept": "application/x-ndjson"})) == service.all_items("/anchors")
    assert match.id not in service.get("/anchors").text


def test_heads_are_kept_once_and_an_interrupted_anchor_does_no_harm(
    carnet: Carnet, match: Match, new_match: NewMatch, dsn: str, database: Database
) -> None:
    first, _ = carnet.anchor()
    with database.statements() as connection:
        number = anchors.next_number(connection)
        new_match()
        match.record(*OPENING)
        while anchors.keep_heads(connection, number, anchors.NIL, 1) is None:
            raise AssertionError
    match.record("orange take O4")
    second, _ = carnet.anchor()
    with psycopg.connect(dsn) as connection_:
        kept = connection_.execute("SELECT anchor, version FROM anchor_heads WHERE match_id = %s", (match.id,))
        assert sorted(kept.fetchall()) == [(1, 1), (2, 7), (3, 8)]
    for anchor in (first, second):
        assert carnet("verify", "--anchor", anchor).exit_code == 0


def test_matches_that_go_on_while_an_anchor_is_made_are_in_it_as_they_were(
    carnet: Carnet, match: Match, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Recording(BytesIO):
        def writelines(self, written: Iterable[Any]) -> None:
            match.record(*OPENING)
            super().writelines(written)

    heads = Recording()
    anchor = making.make_anchor(database, Ed25519PrivateKey.generate(), heads)
    assert [orjson.loads(line)["version"] for line in heads.getvalue().splitlines()] == [1]
    assert orjson.loads(anchor.document)["root"] == making.root_over(making.read_heads(database, anchor.number))
    assert carnet("verify").exit_code == 0


def test_only_one_anchor_is_made_at_a_time(carnet: Carnet, database: Database) -> None:
    with database.statements() as connection, anchors.sole_anchoring(connection) as is_sole:
        assert is_sole
        refused = carnet("anchor")
        assert refused.exit_code == 2 and "Another anchor is being made" in refused.stderr
    assert carnet("anchor").exit_code == 0


def root_by(path: Sequence[str], leaf: bytes, index: int, size: int) -> str:
    """The root that an inclusion path leads to, as RFC 9162 verifies it in section 2.1.3.2."""
    last, found = size - 1, leaf
    for step in map(bytes.fromhex, path):
        assert last > 0
        if index & 1 or index == last:
            found = sha256(b"\1" + step + found).digest()
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            found = sha256(b"\1" + found + step).digest()
        index, last = index >> 1, last >> 1
    assert last == 0
    return found.hex()


def test_trees_are_those_of_the_standard() -> None:
    # The leaves and roots by which implementations of Certificate Transparency test themselves.
    entries = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    leaves = [merkle.hash_leaf(bytes.fromhex(entry)) for entry in entries]
    roots = {size: merkle.tree_root(leaves[:size]).hex() for size in range(9)}
    assert roots[0] == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert roots[1] == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert roots[8] == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    for size in range(1, 9):
        for index in range(size):
            path = [step.hex() for step in merkle.inclusion_path(leaves[:size], index)]
            assert root_by(path, leaves[index], index, size) == roots[size]


@pytest.mark.parametrize("number", [1, 2, 7, 8])
def test_a_proof_leads_from_a_match_to_the_published_root(
    carnet: Carnet, new_match: NewMatch, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (making, proofs):
        monkeypatch.setattr(module, "CHUNK", 2)
    matches = [new_match() for _ in range(number)]
    matches[0].record(*OPENING)
    anchor, _ = carnet.anchor()
    for match in matches:
        match.record(*OPENING) if match is not matches[0] else None
    later = new_match()
    carnet.anchor()
    for index, match in enumerate(matches):
        proof = ok(match.get("/anchors/1"))
        assert proof["anchor"] == stated(anchor)
        assert proof["head"] == {
            "match_id": match.id,
            "version": 7 if index == 0 else 1,
            "hash": match.events()[6 if index == 0 else 0]["hash"],
        }
        leaf = sha256(b"\0" + canonical(proof["head"]).encode()).digest()
        assert root_by(proof["path"], leaf, proof["leaf_index"], proof["tree_size"]) == proof["anchor"]["root"]
        assert all(other.id not in str(proof) for other in matches if other is not match)
    problem(later.get("/anchors/1"), 404, "not-found")
    assert ok(later.get("/anchors/2"))["leaf_index"] == number
    for unknown in ("0", "3", str(10**20)):
        problem(later.get(f"/anchors/{unknown}"), 404, "not-found")


def test_files_that_are_no_anchors_are_refused(carnet: Carnet, match: Match, tmp_path: Path) -> None:
    anchor, heads = carnet.anchor()
    document = orjson.loads(anchor.read_bytes())
    other = {**document, "anchor": {**document["anchor"], "root": "0" * 64}}
    newer = {**document, "anchor": {**document["anchor"], "format": "carnet-anchor-2"}}
    more = heads.read_text() + canonical({"match_id": UNKNOWN_ID, "version": 1, "hash": "0" * 64})
    for option, content, message in (
        ("--anchor", orjson.dumps(other).decode(), "its signature does not fit"),
        ("--anchor", orjson.dumps(newer).decode(), "another format"),
        ("--anchor", "[]", "is no anchor"),
        ("--anchor", "x", "is no anchor"),
        ("--heads", '{"match_id": 1}', "Line 1 of"),
        ("--heads", heads.read_text() + "\n", "Line 2 of"),
        ("--heads", more, "other heads than those of"),
    ):
        strange = tmp_path / "strange"
        strange.write_text(content)
        known = ("--anchor", anchor) if option == "--heads" else ()
        refused = carnet("verify", *known, option, strange)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert message in refused.stderr
    for option in ("--anchor", "--heads"):
        away = carnet("verify", option, tmp_path / "away")
        assert away.exit_code == 2 and "No such file" in away.stderr
        assert carnet("verify", "--rules", option, anchor).exit_code == 2
    nowhere = carnet("anchor", "--heads", tmp_path / "away" / "heads")
    assert nowhere.exit_code == 2 and "cannot be written" in nowhere.stderr


def test_a_key_that_cannot_be_used_is_refused(carnet: Carnet, tmp_path: Path) -> None:
    key = tmp_path / "keys" / "mine.pem"
    assert carnet("anchor", CARNET_ANCHOR_KEY=str(key)).exit_code == 0
    assert not (tmp_path / "anchor-key.pem").exists()
    key.chmod(0o640)
    readable = carnet("anchor", CARNET_ANCHOR_KEY=str(key))
    assert readable.exit_code == 2 and f"chmod 600 {key}" in readable.stderr
    key.chmod(0o600)
    key.write_text("x")
    assert carnet("anchor", CARNET_ANCHOR_KEY=str(key)).exit_code == 2
    assert carnet("anchor", CARNET_ANCHOR_KEY=str(tmp_path)).exit_code == 2
