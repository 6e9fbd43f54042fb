"""The application: which parts answer which addresses."""

from flask import Flask, Response, request
from flask_smorest import Api
from psycopg import Error
from psycopg_pool import PoolTimeout

from service import problems
from service.annotations import routes as annotations
from service.carnet import Carnet
from service.config import Config
from service.games import routes as games
from service.identity import new_id
from service.matches import moves, replay
from service.matches import routes as matches
from service.players import routes as players
from service.responses import answer
from service.store.database import Database, newest_migration

LARGEST_BODY = 2**20
LONGEST_REQUEST_ID = 100


def create_app(config: Config, database: Database) -> Flask:
    """The application on an open database."""
    app = Flask(__name__, static_folder=None)
    app.extensions["carnet"] = Carnet(database, config.timezone)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        API_TITLE="Carnet",
        API_VERSION="1",
        OPENAPI_VERSION="3.1.1",
    )
    app.url_map.strict_slashes = False
    problems.register(app)
    api = Api(app)
    problems.register(app)
    for part in (games, matches, moves, replay, players, annotations):
        api.register_blueprint(part.blueprint)

    @app.get("/healthz")
    def healthz() -> Response:
        return answer({"status": "ok"})

    @app.get("/readyz")
    def readyz() -> Response:
        try:
            migration = database.migration()
        except (Error, PoolTimeout):
            return problems.Problem("database-away", "The database does not answer.", {"Retry-After": "2"}).response()
        if migration != newest_migration():
            detail = f"The database is at migration {migration} and not at {newest_migration()}."
            return problems.Problem("database-away", detail).response()
        return answer({"status": "ready", "migration": migration})

    @app.after_request
    def name_request(response: Response) -> Response:
        asked = request.headers.get("X-Request-ID", "")
        is_plain = 0 < len(asked) <= LONGEST_REQUEST_ID and asked.isascii() and asked.isprintable()
        response.headers["X-Request-ID"] = asked if is_plain else str(new_id())
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    return app
