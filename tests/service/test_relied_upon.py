"""Names of Flask, Werkzeug, gunicorn and psycopg that are private or undocumented, and that we override or use."""

from importlib.metadata import version
from inspect import signature
from pkgutil import resolve_name
from typing import Any

import pytest
from gunicorn.config import Config as GunicornConfig
from gunicorn.http import RequestParser, wsgi

NAMES = [
    ("flask", "flask:Flask.create_url_adapter", "service/http/fast.py makes the adapter without looking at hosts"),
    ("flask", "flask:Flask.ensure_sync", "service/http/fast.py returns the function"),
    ("flask", "flask:Flask.request_context", "service/http/fast.py makes a context of its own"),
    ("flask", "flask:Flask.preprocess_request", "service/http/fast.py calls the hooks of the application alone"),
    ("flask", "flask:Flask.process_response", "service/http/fast.py calls the hooks of the application alone"),
    ("flask", "flask:Flask.do_teardown_request", "service/http/fast.py does nothing"),
    ("flask", "flask.ctx:RequestContext.match_request", "service/http/fast.py finds the route in a cache"),
    ("flask", "flask.globals:request_ctx", "service/http/fast.py reads the hooks of a request"),
    ("werkzeug", "werkzeug.local:LocalProxy._get_current_object", "service/http/request.py and service/context.py"),
    ("werkzeug", "werkzeug.datastructures:Headers.to_wsgi_list", "service/http/fast.py sends documents as they are"),
    ("werkzeug", "werkzeug.routing:MapAdapter.match", "service/http/fast.py asks it for routes that are not cached"),
    ("werkzeug", "werkzeug.routing:UUIDConverter.regex", "service/app.py allows one spelling"),
    ("werkzeug", "werkzeug.wsgi:LimitedStream.is_exhausted", "service/http/request.py refuses bodies beyond the limit"),
    ("gunicorn", "gunicorn.app.base:BaseApplication.load_config", "service/server/run.py has its settings"),
    ("gunicorn", "gunicorn.glogging:Logger.setup", "service/server/logging.py keeps its handlers"),
    ("gunicorn", "gunicorn.http:RequestParser.finish_body", "service/server/worker.py reads the rest of a body"),
    ("gunicorn", "gunicorn.http.errors:LimitRequestHeaders", "service/server/worker.py refuses endless headers"),
    ("gunicorn", "gunicorn.http.errors:NoMoreData", "service/server/worker.py refuses endless headers"),
    ("gunicorn", "gunicorn.http.errors:ParseException", "service/server/worker.py answers requests that are malformed"),
    ("gunicorn", "gunicorn.http.message:Request._expected_100_continue", "service/server/worker.py answers 100 itself"),
    ("gunicorn", "gunicorn.http.wsgi:Response.force_close", "service/server/worker.py closes while it shuts down"),
    ("gunicorn", "gunicorn.http.wsgi:Response.process_headers", "service/server/worker.py leaves validation to it"),
    ("gunicorn", "gunicorn.http.wsgi:Response.should_close", "service/server/worker.py keeps connections open"),
    ("gunicorn", "gunicorn.http.wsgi:Response.start_response", "service/server/worker.py passes it to the application"),
    ("gunicorn", "gunicorn.workers.base:Worker.handle_exit", "service/server/worker.py finishes requests first"),
    ("gunicorn", "gunicorn.workers.base:Worker.handle_quit", "service/server/worker.py finishes requests first"),
    ("gunicorn", "gunicorn.workers.base:Worker.init_process", "service/server/worker.py opens its event loop"),
    ("gunicorn", "gunicorn.workers.base:Worker.notify", "service/server/worker.py tells the arbiter that it lives"),
    ("psycopg", "psycopg.pq:PGconn.socket", "service/db/pool.py sees whether the server has sent something"),
    ("psycopg", "psycopg.pq:PGconn.exec_prepared", "service/db/fast.py sends a statement by hand"),
    ("psycopg", "psycopg.pq:PGconn.prepare", "service/db/fast.py prepares a statement by hand"),
    ("psycopg", "psycopg.pq:PGconn.transaction_status", "service/db/fast.py looks for a transaction"),
    ("psycopg", "psycopg.pq:PGresult.command_tuples", "service/db/fast.py counts the changed rows"),
    ("psycopg", "psycopg.errors:error_from_result", "service/db/fast.py raises the errors of psycopg"),
    ("psycopg", "psycopg_pool:ConnectionPool.check_connection", "service/db/pool.py checks suspicious connections"),
]


@pytest.mark.parametrize(("package", "name", "reason"), NAMES)
def test_a_name_that_we_rely_on_is_there(package: str, name: str, reason: str) -> None:
    try:
        resolve_name(name)
    except (AttributeError, ImportError):
        pytest.fail(f"{package} {version(package)} has no {name} any more: {reason}")


@pytest.mark.parametrize(
    ("package", "name", "parameters", "reason"),
    [
        ("flask", "flask.ctx:RequestContext", ["app", "environ"], "service/http/fast.py makes one for each request"),
        ("gunicorn", "gunicorn.http.wsgi:create", ["response_class"], "service/server/worker.py has its own responses"),
        ("werkzeug", "werkzeug.wsgi:LimitedStream", ["is_max"], "service/http/request.py bounds chunked bodies"),
        ("werkzeug", "werkzeug.routing:MapAdapter.match", ["return_rule"], "service/http/fast.py caches the rule"),
    ],
)
def test_a_parameter_that_we_rely_on_is_there(package: str, name: str, parameters: list[str], reason: str) -> None:
    missing = set(parameters) - signature(resolve_name(name)).parameters.keys()
    assert not missing, f"{name} of {package} {version(package)} has no {missing} any more: {reason}"


@pytest.mark.parametrize("name", ["headers", "headers_sent", "response_length"])
def test_gunicorn_responses_have_the_attributes_that_our_worker_reads(name: str) -> None:
    require(wsgi.Response(None, None, None), name)


def test_gunicorn_parsers_give_back_what_follows_a_request() -> None:
    require(RequestParser(GunicornConfig(), [b""], None).unreader, "take_buffered")


@pytest.mark.parametrize("name", ["control_socket_disable", "reuse_port", "worker_connections"])
def test_gunicorn_has_the_settings_that_we_set(name: str) -> None:
    require(GunicornConfig(), name)


def require(owner: Any, name: str) -> None:
    """service/server relies on it."""
    assert hasattr(owner, name), f"gunicorn {version('gunicorn')}: {type(owner).__name__} has no {name} any more"
