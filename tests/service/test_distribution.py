"""The rules by which the tables of a match can be on several servers, for the schema and for the statements."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Final

import psycopg
import pytest
from click.testing import CliRunner

from service import cli, db
from service.db.distribution import NO_CITUS, REFERENCE_TABLES, NotDistributable, distribute, plan
from service.db.migrations import migrate
from tests.service.tampering import as_owner, as_service

REFER_TO_MATCHES: Final = {"audit_entries", "import_items", "secrets"}
"""Tables that name a match without being its own."""
FAN_OUTS: Final = {
    "accounts.adopt": "once, when the first owner takes over what was recorded without sign-in",
    "anchors.deviations": "commands: pages of heads of all matches",
    "anchors.heads": "commands: pages of heads of all matches",
    "anchors.keep_heads": "commands: pages of heads of all matches",
    "anchors.missing_matches": "commands",
    "annotations.match_of": "an address has the id of an annotation alone; what follows is asked of its match",
    "backups.contents": "commands: what a backup has to have of all matches",
    "editions.is_readable": "matches with the edition of a user, by an index",
    "editions.page": "matches with editions of users, by an index",
    "exchange.annotations_here": "an import: annotations are found by their ids alone",
    "exchange.by_source": "an import: matches are found by what they are called elsewhere, by an index",
    "facts._add": "the twentieth match with a tag, by an index",
    "facts._add_nodes": "openings that have come to be frequent, by an index",
    "facts._all_summed_tags": "commands: sums over all matches",
    "facts._opened": "a part of statements of which `_add` asks some matches",
    "facts._passes": "rare openings, by an index",
    "facts.mark_players": "players who were merged, by an index",
    "leaving.gone": "an export of what has changed since a moment",
    "leaving.listing": "an export of the list of matches",
    "matches._add_filters": "the list of matches",
    "matches.all_ids": "commands",
    "matches.all_rows": "commands",
    "matches.count": "commands",
    "matches.count_outdated": "at the start",
    "matches.count_unowned": "at the start",
    "matches.listing": "the list of matches",
    "matches.managed": "a change of many matches",
    "matches.renew_seated": "the matches of a renamed player, by an index",
    "players.find_met": "the matches of one player, by an index",
    "players.have_met": "the matches of two players, by an index",
    "players.is_known_to_others": "the matches of one player, by an index",
    "ratings.begin_anew": "commands",
    "ratings.rankings": "ratings, in the background",
    "touches.touch": "the matches of one change, by their ids",
}
"""The statements that ask all servers, and why they may; those of statistics all do."""


def rows(dsn: str, query: str) -> list[tuple[str, ...]]:
    with psycopg.connect(dsn) as connection:
        return connection.execute(query.encode()).fetchall()


def match_tables(dsn: str) -> set[str]:
    return {
        table
        for (table,) in rows(
            dsn,
            """
            SELECT i.indrelid::regclass::text FROM pg_index i
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indisprimary AND a.attname = 'match_id'
            """,
        )
    }


def test_every_unique_key_of_a_match_table_leads_with_the_match(module_dsn: str) -> None:
    tables = match_tables(module_dsn)
    keys = rows(
        module_dsn,
        """
        SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, a.attname FROM pg_index i
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indisunique AND EXISTS (
            SELECT FROM pg_attribute m WHERE m.attrelid = i.indrelid AND m.attname = 'match_id' AND NOT m.attisdropped
        )
        """,
    )
    named = {table for table, _, _ in keys}
    assert {"matches", "events", "annotations", "seat_facts"} <= tables
    assert named - tables == REFER_TO_MATCHES, "a new table with match_id: lead its keys with it"
    assert [key for table, key, first in keys if table in tables and first != "match_id"] == []


def test_foreign_keys_stay_on_one_server(module_dsn: str) -> None:
    tables = match_tables(module_dsn)
    keys = rows(
        module_dsn,
        """
        SELECT conrelid::regclass::text, confrelid::regclass::text, a.attname, b.attname, conname FROM pg_constraint
        JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
        JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = confkey[1] WHERE contype = 'f'
        """,
    )
    for table, to, column, to_column, name in keys:
        if to in tables:
            assert table in tables and (column, to_column) == ("match_id", "match_id"), name
        elif table in {*tables, *REFERENCE_TABLES}:
            assert to in REFERENCE_TABLES, name


def test_match_tables_make_up_no_values(module_dsn: str) -> None:
    """No sequence or clock: they would differ from server to server."""
    made_up = rows(
        module_dsn,
        """
        SELECT attrelid::regclass::text, attname, pg_get_expr(adbin, adrelid) FROM pg_attribute
        JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attgenerated = '' AND pg_get_expr(adbin, adrelid) LIKE '%(%'
        """,
    )
    assert [row for row in made_up if row[0] in match_tables(module_dsn)] == []


CONSTRAINTS: Final = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2
"""


def test_the_statements_leave_the_schema_as_it_was_but_for_triggers(empty_dsn: str) -> None:
    migrate(empty_dsn)
    before = rows(empty_dsn, CONSTRAINTS)
    with psycopg.connect(empty_dsn) as connection:
        # In place of those of Citus: they note what is asked of them.
        connection.execute("CREATE TABLE asked (name text, key text, beside text)")
        connection.execute(
            """
            CREATE FUNCTION create_reference_table(text) RETURNS void LANGUAGE sql AS
                'INSERT INTO asked VALUES ($1, NULL, NULL)';
            CREATE FUNCTION create_distributed_table(text, text, colocate_with text DEFAULT NULL) RETURNS void
                LANGUAGE sql AS 'INSERT INTO asked VALUES ($1, $2, $3)';
            """
        )
        chosen = plan(connection)
        for statement in chosen.statements:
            connection.execute(statement.encode())
        asked = connection.execute("SELECT * FROM asked").fetchall()
    assert not chosen.has_citus
    assert asked[:4] == [*((name, None, None) for name in REFERENCE_TABLES), ("matches", "match_id", None)]
    assert {name for name, key, _ in asked[3:] if key == "match_id"} == match_tables(empty_dsn)
    assert {beside for _, _, beside in asked[4:]} == {"matches"}
    assert rows(empty_dsn, CONSTRAINTS) == before
    triggers = rows(empty_dsn, "SELECT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal")
    assert {table for (table,) in triggers} == {"anchors", "audit_entries", "player_changes"}


def test_without_the_extension_the_command_says_so(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", as_service(dsn))
    monkeypatch.setenv("DATABASE_OWNER_URL", as_owner(dsn))
    printed = CliRunner().invoke(cli.main, ["distribute"])
    assert (printed.exit_code, printed.stderr.strip()) == (2, NO_CITUS)
    assert "SELECT create_distributed_table('matches', 'match_id');" in printed.stdout.splitlines()
    tried = CliRunner().invoke(cli.main, ["distribute", "--run"])
    assert (tried.exit_code, tried.stdout, tried.stderr.strip()) == (2, "", NO_CITUS)
    with pytest.raises(NotDistributable):
        distribute(as_owner(dsn))
    assert ("events_are_kept",) in rows(dsn, "SELECT tgname FROM pg_trigger")


def test_statements_about_matches_name_one_or_are_known_to_ask_all_servers(module_dsn: str) -> None:
    tables = "|".join(sorted(match_tables(module_dsn)))
    about = re.compile(rf"\b(FROM|JOIN|UPDATE|INTO|USING|COPY|TABLE)\s+({tables})\b")
    pinned = re.compile(r"\bmatch_id = (ANY\()?[%$]|\(match_id, [^()]*\)\s+(VALUES|SELECT %|SELECT head)")
    asking = {name for name, text in statements() if about.search(text) and not pinned.search(text)}
    assert {name for name in asking if not name.startswith("statistics.")} == set(FAN_OUTS)


def test_what_is_asked_of_each_row_is_asked_of_a_known_match(module_dsn: str) -> None:
    """A subquery that refers to the rows around it is about their match, or about a given one."""
    tables = match_tables(module_dsn)
    assert sorted((name, row) for name, text in statements() for row in _rows_around(text, tables)) == []
    made_up = "SELECT 1 FROM players p WHERE EXISTS (SELECT FROM match_seats s WHERE {} p.player_id = s.player_id)"
    assert list(_rows_around(made_up.format(""), tables)) == ["p"]
    assert list(_rows_around(made_up.format("s.match_id = %s AND"), tables)) == []
    assert list(_rows_around(made_up.format("s.match_id = p.match_id AND"), tables)) == []


def test_subqueries_over_all_matches_are_conditions_of_where(module_dsn: str) -> None:
    """Servers are asked for the rows of such a subquery first, but only where it stands in WHERE."""
    tables = match_tables(module_dsn)
    clauses = {(name, clause) for name, text in statements() for clause in _clauses_with_all(text, tables)}
    assert [(name, clause) for name, clause in sorted(clauses) if clause != "WHERE"] == []
    own = "m.match_id IN (SELECT match_id FROM match_seats WHERE player_id = %s)"
    for made_up, clause in {
        "SELECT (true OR {}) AS is_own FROM matches m": "SELECT",
        "SELECT 1 FROM players p JOIN matches m ON {}": "ON",
        "SELECT 1 FROM matches m WHERE true AND (false OR {})": "WHERE",
    }.items():
        assert list(_clauses_with_all(made_up.format(own), tables)) == [clause]


def test_no_case_of_a_change_looks_at_the_clock() -> None:
    """Nor in tables of the coordinator alone: one that refers to a table of which all have a copy is changed alike."""
    looking = re.compile(r"(\bCASE\b((?!\bEND\b).)*|\bcoalesce\([^()]*)\bnow\(\)", re.DOTALL)
    changing = [(name, text) for name, text in statements() if re.search(r"\b(INSERT INTO|UPDATE)\b", text)]
    assert [name for name, text in changing if looking.search(text)] == []
    assert looking.search("UPDATE imports SET finished_at = CASE WHEN %s THEN now() ELSE finished_at END")
    assert not looking.search("UPDATE imports SET counts = CASE WHEN %s THEN 1 END, finished_at = now()")


_SUBQUERY: Final = re.compile(r"\(\s*(?:SELECT|WITH)\b")
_SOURCE: Final = re.compile(r"(?:\b(?:FROM|JOIN)|,)\s+(\w+)(?:\s+(?:AS\s+)?([a-z]\w*))?")
_NAME: Final = re.compile(r"\)\s+(?:AS\s+)?([a-z]\w*)")
_COLUMN: Final = re.compile(r"\b([a-z]\w*)\.\w")
_CLAUSE: Final = re.compile(r"[()]|\b(?:SELECT|ON|WHERE|HAVING)\b")


def _rows_around(statement: str, tables: set[str]) -> Iterator[str]:
    """The names of rows around a subquery over tables of matches that it refers to, unless by the match."""
    for found in _SUBQUERY.finditer(statement):
        text = _within(statement, found.start())
        sources = [name for source in _SOURCE.findall(text) for name in source]
        outer = set(_COLUMN.findall(text)) - {*sources, *_NAME.findall(text)}
        if outer and not tables.isdisjoint(sources) and not re.search(r"match_id = %", text):
            same = {name for pair in re.findall(r"(?:(\w+)\.)?match_id = (\w+)\.match_id", text) for name in pair}
            yield from sorted(outer - same)


def _clauses_with_all(statement: str, tables: set[str]) -> Iterator[str]:
    """The clauses in which rows are looked for among those of a subquery over tables of matches."""
    for found in re.finditer(r"\bIN\s+(?=\(\s*SELECT\b)", statement):
        text = _within(statement, found.end())
        if tables.isdisjoint(name for name, _ in _SOURCE.findall(text)):
            continue
        depth = 0
        for before in reversed(list(_CLAUSE.finditer(statement, 0, found.start()))):
            depth = max(0, depth + {")": 1, "(": -1}.get(before[0], 0))
            if depth == 0 and before[0] not in "()":
                yield before[0]
                break


def _within(text: str, start: int) -> str:
    """What stands between a parenthesis and the one that closes it."""
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return text[start + 1 : index]
    return text[start + 1 :]


def statements() -> Iterator[tuple[str, str]]:
    """The texts of each function of the modules with SQL, with the constants that it names."""
    for module in modules():
        tree = ast.parse(inspect.getsource(module))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                name = f"{module.__name__.removeprefix('service.db.')}.{function.name}"
                yield from ((name, text) for text in texts(function, module))


def texts(node: ast.AST, module: ModuleType) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):  # one statement, with the constants that it is put together of
        yield "".join(text for part in node.values for text in texts(part, module))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Name):
        value = vars(module).get(node.id)
        yield from (text for text in (value if isinstance(value, tuple) else [value]) if isinstance(text, str))
    else:
        for child in ast.iter_child_nodes(node):
            yield from texts(child, module)


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(db.__path__, "service.db."):
        yield importlib.import_module(found.name)
