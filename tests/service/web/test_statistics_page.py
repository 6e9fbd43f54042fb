"""Who is offered to change a player on that player's page, and what the page refuses."""

from flask import Flask

from service.app import create_app
from service.db.pool import Database
from tests.service.auth.conftest import SIGN_IN
from tests.service.auth.people import first_owner, invited
from tests.service.conftest import NewMatch
from tests.service.harness import UNKNOWN_ID


def test_a_name_is_offered_for_change_to_whom_the_api_lets_change_it(database: Database) -> None:
    app = create_app(SIGN_IN, database)
    olga = first_owner(app)
    ana, eva = invited(olga, "Ana"), invited(olga, "Eva")
    players = {player["name"]: player["player_id"] for player in ana.begin(visibility="public")["players"]}
    jan = invited(olga, "Jan", player_id=players["Jan"])

    def offered(path: str) -> dict[str, tuple[bool, bool]]:
        pages = {
            "owner": olga.client.get(path).text,
            "adder": ana.client.get(path).text,
            "himself": jan.client.get(path).text,
            "member": eva.client.get(path).text,
            "nobody": app.test_client().get(path).text,
        }
        return {who: ('id="rename"' in page, 'id="merge"' in page) for who, page in pages.items()}

    both, neither = (True, True), (False, False)
    assert offered(f"/players/{players['Jan']}") == {
        "owner": both,
        "adder": neither,
        "himself": (True, False),
        "member": neither,
        "nobody": neither,
    }
    app.extensions["carnet"].close()


def test_there_is_no_page_of_strangers_nor_of_somebody_against_himself(app: Flask, new_match: NewMatch) -> None:
    ana, jan = (player["player_id"] for player in new_match().document()["players"])
    client = app.test_client()
    assert client.get(f"/players/{ana}/against/{jan}").status_code == 200
    for path in (f"/players/{UNKNOWN_ID}", f"/players/{ana}/against/{UNKNOWN_ID}", f"/players/{ana}/against/{ana}"):
        assert client.get(path).status_code == 404
    assert client.get("/games/chess").status_code == 404
