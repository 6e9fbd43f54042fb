# Needs python3 (3.11 or newer, with venv) and make; everything else is installed into .venv.

PYTHON ?= python3

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

# What the caller has set for other projects must not change what happens here.
unexport MYPYPATH PIP_PREFIX PIP_TARGET PIP_USER PYTEST_ADDOPTS PYTHONHOME PYTHONPATH PYTHONSAFEPATH PYTHONWARNINGS
unexport COVERAGE_PROCESS_START COVERAGE_RCFILE PYTEST_PLUGINS VIRTUAL_ENV
# Without stored bytecode every process compiles the service anew: 1.5 s of CPU time for each that a test starts.
unexport PYTHONDONTWRITEBYTECODE
unexport $(filter-out PG_BIN,$(filter PG%,$(.VARIABLES)))

RUN := .venv/bin/python

CYCLONEDX := 7.5.0

NODE := $(RUN) -m scripts.node
SCRIPTS := 'service/**/*.js' '*.js'
STYLES := 'service/**/*.css'
API_TYPES := openapi.yaml --root-types --root-types-no-schema-prefix --output service/web/types/api.d.ts
PRETTIER := $(SCRIPTS) $(STYLES) --log-level warn --cache

CHECK = @$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	{ echo 'Carnet needs Python 3.11 or newer; name one, as in: make test PYTHON=python3.12' >&2; exit 1; }

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | while read -r name about; do \
		printf 'make %-8s %s\n' "$$name" "$$about"; done

.PHONY: run
run: .venv/run-stamp ## the service at http://127.0.0.1:8000, with a database of its own
	@exec $(RUN) -m service

.PHONY: demo
demo: .venv/run-stamp ## plausible matches of every game for a running service
	@$(RUN) -m scripts.demo

# Counting lines makes Python several times slower, so it is done in the tests of the domain alone. They keep two cores busy
# together with lint, whose checkers have one process each. Of the others many wait for services and browsers: a third
# process has something to do meanwhile, and a fourth gains nothing.
.PHONY: test
test: .venv/stamp ## lint, and every test but the soak, with all of domain covered by its own tests
	@if $(MAKE) node_modules/stamp 2>/dev/null; then $(MAKE) --jobs=3 --output-sync=line lint_python lint_scripts test_domain; \
	else $(MAKE) --jobs=2 --output-sync=line lint_python test_domain && \
	echo 'Scripts and styles are not checked: their tools cannot be installed; make lint says why.'; fi
	@$(RUN) -m scripts.chromium >/dev/null
	@$(RUN) -m pytest -n 3 --dist worksteal --ignore=tests/domain

.PHONY: test_domain
test_domain: .venv/stamp
	@$(RUN) -m pytest -n 2 --dist worksteal -p no:schemathesis --cov --cov-report=term tests/domain

.PHONY: lint
lint: lint_python lint_scripts ## style, format, types and the import rules of Python, scripts and styles, and the types of the client

.PHONY: lint_python
lint_python: .venv/stamp
	@$(RUN) -m ruff check
	@$(RUN) -m ruff format --check
	@$(RUN) -m mypy
	@$(RUN) .venv/bin/lint-imports --no-logo
	@$(RUN) -m scripts.client_types --check

.PHONY: lint_scripts
lint_scripts: node_modules/stamp
	@$(NODE) prettier $(PRETTIER) --check
	@$(NODE) eslint $(SCRIPTS)
	@$(NODE) stylelint $(STYLES)
	@$(NODE) openapi-typescript $(API_TYPES) --check >/dev/null || { echo "make openapi writes these types anew" >&2; exit 1; }
	@$(NODE) tsc
	@$(NODE) tsc --project tsconfig.worker.json

.PHONY: format
format: .venv/stamp node_modules/stamp ## bring Python, scripts and styles into the format that lint checks
	@$(RUN) -m ruff format
	@$(NODE) prettier $(PRETTIER) --write

.PHONY: soak
soak: .venv/fleet-stamp ## random matches, kill -9 in twenty rounds, a club evening, attacks, rolling restarts, failovers, the tests marked soak
	@$(RUN) -m scripts.soak
	@$(RUN) -m scripts.kill_rounds
	@$(RUN) -m scripts.follow_rounds
	@$(RUN) -m scripts.attack_rounds
	@$(RUN) -m scripts.restart_rounds
	@$(RUN) -m scripts.failover_rounds
	@$(RUN) -m pytest -n 2 -m soak
	@CARNET_PLAIN=1 $(RUN) -m pytest -n 2 --dist worksteal tests/service

.PHONY: browsers
browsers: .venv/stamp ## the main journeys in Chromium, Firefox and WebKit; soak has them too
	@$(RUN) -m pytest -m soak tests/web/browsers

.PHONY: bench
bench: .venv-bench/stamp ## speed beside python-chess, a bare Flask route and eventsourcing
	@.venv-bench/bin/python -m bench

.PHONY: fuzz
fuzz: .venv-bench/stamp ## ten minutes of changed files for the readers of all that is imported
	@for reader in text document bgstats bgg; do \
		.venv-bench/bin/python -m scripts.fuzz_readers --reader $$reader --seconds 150 || exit 1; done

.PHONY: openapi
openapi: .venv/stamp node_modules/stamp ## write openapi.yaml anew from the routes, and the types of client and scripts from it
	@$(RUN) -m scripts.openapi
	@$(RUN) -m scripts.client_types
	@$(NODE) openapi-typescript $(API_TYPES) >/dev/null

.PHONY: wheel
wheel: .venv/stamp ## dist/carnet-….whl, which pipx and uvx run
	@$(RUN) -m uv build --quiet --wheel --out-dir dist

.PHONY: sbom
sbom: .venv/stamp ## dist/carnet.cdx.json: what an installation consists of, in the form of CycloneDX
	@mkdir -p dist
	@PYTHONWARNINGS=ignore $(RUN) -m uv tool run --quiet --from 'cyclonedx-bom==$(CYCLONEDX)' cyclonedx-py requirements \
		--pyproject pyproject.toml --mc-type application --output-reproducible --of JSON -o dist/carnet.cdx.json \
		requirements/run.txt

.PHONY: lock
lock: .venv/stamp ## write requirements/*.txt anew from requirements/*.in
	@for name in run dev bench fleet; do \
		$(RUN) -m uv pip compile --quiet --upgrade --generate-hashes --universal --python-version 3.11 --no-header \
			requirements/$$name.in --output-file requirements/$$name.txt || exit 1; done

.venv/run-stamp: requirements/run.txt
	$(CHECK)
	@$(PYTHON) -m scripts.environment .venv $<
	@touch $@

.venv/stamp: requirements/dev.txt .venv/run-stamp
	@$(PYTHON) -m scripts.environment --more .venv $<
	@touch $@

.venv/fleet-stamp: requirements/fleet.txt .venv/stamp
	@$(PYTHON) -m scripts.environment --more .venv $<
	@touch $@

node_modules/stamp: package.json package-lock.json .venv/stamp
	@$(NODE) --install
	@touch $@

.venv-bench/stamp: requirements/bench.txt
	$(CHECK)
	@$(PYTHON) -m scripts.environment .venv-bench $<
	@touch $@
