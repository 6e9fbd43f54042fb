"""The command that lets somebody in who has lost every browser that was signed in."""

from click.testing import CliRunner, Result

from service.cli import main
from tests.service.auth.people import Person, invited
from tests.service.harness import UNKNOWN_ID, ok
from tests.service.tampering import as_service


def sign_in_link(dsn: str, account: str, **settings: str) -> Result:
    return CliRunner().invoke(main, ["sign-in-link", account], env={"DATABASE_URL": as_service(dsn), **settings})


def test_an_owner_without_a_browser_gets_in_by_a_link_from_the_machine(olga: Person, dsn: str) -> None:
    for account in ("olga", olga.account["id"]):
        made = sign_in_link(dsn, account, CARNET_URL="https://carnet.example.org")
        assert (made.exit_code, made.stderr) == (0, "")
        address = made.stdout.removesuffix("\n")
        assert address.startswith("https://carnet.example.org/sign-in/carnet_")
        back = Person(olga.app).sign_in(address)
        me = ok(back.get("/me"))
        assert (me["account"], me["scopes"]) == (olga.account, ["annotate", "manage", "read", "record"])
        assert Person(olga.app).post("/sign-in", {"link": address}).status_code == 404
    [_, noted] = ok(olga.get("/audit?act=sign_in_link_made"))["items"]
    assert (noted["account_id"], noted["subject_id"]) == (None, olga.account["id"])


def test_a_link_of_the_machine_is_listed_and_can_be_withdrawn(olga: Person, dsn: str) -> None:
    address = sign_in_link(dsn, "Olga").stdout.strip()
    links = f"/accounts/{olga.account['id']}/sign-in-links"
    [waiting] = ok(olga.get(links))["items"]
    assert waiting["created_by"] is None
    assert olga.delete(f"{links}/{waiting['id']}").status_code == 204
    assert Person(olga.app).post("/sign-in", {"link": address}).status_code == 404


def test_an_account_that_is_not_certain_is_asked_for_again(olga: Person, dsn: str) -> None:
    others = [invited(olga, "Ana"), invited(olga, "ana")]
    unclear = sign_in_link(dsn, "Ana")
    assert (unclear.exit_code, unclear.stdout) == (2, "")
    assert all(person.account["id"] in unclear.stderr for person in others)
    for unknown in ("Nobody", UNKNOWN_ID):
        missing = sign_in_link(dsn, unknown)
        assert (missing.exit_code, missing.stdout) == (2, "")
        assert missing.stderr.count("\n") == 1 and missing.stderr.endswith(".\n")
    assert ok(olga.get("/audit?act=sign_in_link_made"))["items"] == []
