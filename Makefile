# Everything sets itself up: a private virtual environment for play and one for the tests, each filled from a lock
# file with hashes. They are made again when their lock file, the interpreter or the place of this folder changes.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
ifndef BESIDE
.NOTPARALLEL:
endif
.PHONY: help run test announce lint docs services soak bench wheel release web-python lock clean types style contracts budget bytecode

PYTHON ?= python3
# Twice the cores of the smallest machine: tests with browsers and servers mostly wait.
WORKERS ?= 4
ARGS ?=
UPGRADE ?=

# A stamp's name tells which interpreter and folder an environment was made for: scripts in it hold both as
# absolute paths, so `make test PYTHON=python3.13` or a moved checkout must not go on with the old one.
ID := $(shell $(PYTHON) -c 'import sys, zlib; print("%d.%d.%d-%08x" % (sys.version_info[:3] + (zlib.crc32((sys.base_prefix + sys.argv[1]).encode()),)))' '$(CURDIR)' 2>/dev/null)
RUN := .venv
TEST := .venv-test
RUN_READY := $(RUN)/ready-$(ID)
TEST_READY := $(TEST)/ready-$(ID)

PIP := -m pip --disable-pip-version-check --quiet
# Wheels only: building a source package would fetch its build tools, which no hash pins.
PIP_LOCKED := install --require-hashes --only-binary :all: --requirement

# Bytecode is kept whatever the environment says: without it, each worker and each of some hundred processes that tests
# start would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

# $(call step,name,command): run a command under a heading, then say how long it took, pass or fail.
step = @printf '\n== %s\n' '$(1)'; TIMEFORMAT='== $(1): %1R s'; time $(2)

help: ## list the targets
	@echo "make TARGET [PYTHON=python3.12] [ARGS=...]"; echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(RUN_READY) ## serve on http://127.0.0.1:8000 with an SQLite file in data/; ARGS go to `croupier serve`
	$(call web_python,$(RUN))
	@mkdir -p data
	@CROUPIER_DATABASE="$${CROUPIER_DATABASE:-sqlite:///data/croupier.db}" $(RUN)/bin/croupier serve $(ARGS)

# Two at a time, the first of them the longest: each is told when it has ended, and a failure does not hide others.
together = +@$(MAKE) --jobs=2 --output-sync=target --keep-going --no-print-directory BESIDE=yes types $(1)

# A worker begins with a share of the tests, neighbours together, and takes over some of another's when it has done its
# own.
test: announce services ## lint, docs, then all tests and doctests but the soak tests; ARGS go to pytest
	$(call together,style contracts budget docs bytecode)
	$(call step,pytest,$(TEST)/bin/pytest -n $(WORKERS) --dist worksteal $(ARGS))

# What a first run installs, and how long each part takes on two quiet cores.
announce:
	@$(if $(wildcard $(TEST_READY)),,echo "== first $(TEST) is filled with the pinned packages of requirements/test.txt: a minute or two")
	@echo "== PostgreSQL, Chromium, Node and nginx are what the tests talk to: where one is missing, apt-get installs it if you are"
	@echo "   root (two minutes), else its tests are skipped. Then style, types and the documentation take a minute, tests"
	@echo "   about eleven; at the end stands what each folder of them cost, in processor seconds."

lint: $(TEST_READY) ## style, types, import contracts and the size budget
	$(call together,style contracts budget)

types: $(TEST_READY)
	$(call step,mypy,$(TEST)/bin/mypy)

style: $(TEST_READY)
	$(call step,ruff check,$(TEST)/bin/ruff check .)
	$(call step,ruff format,$(TEST)/bin/ruff format --check .)

contracts: $(TEST_READY)
	$(call step,import contracts,$(TEST)/bin/lint-imports)

budget: $(TEST_READY)
	$(call step,size budget,$(TEST)/bin/python tools/budget.py)

docs: $(TEST_READY) ## build the documentation into site/, warnings are errors
	$(call step,mkdocs,$(TEST)/bin/mkdocs build --strict --site-dir site)

# Bytecode that every worker would make for itself; what is wrong with a file, the tests tell.
bytecode: $(TEST_READY)
	$(call step,bytecode,$(TEST)/bin/pytest --collect-only --quiet >/dev/null 2>&1 || true)

# $(call debian,package,command that finds it): install a Debian package for the tests, where it is missing and can be.
debian = @if { $(2); } >/dev/null 2>&1; then exit 0; fi; \
  if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
    echo "== no $(1) here, and it takes root and apt-get to install it: tests that need it are skipped"; exit 0; \
  fi; \
  echo "== installing $(1) for the tests"; \
  { apt-get update --quiet=2 && DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes \
    --no-install-recommends --option Dpkg::Options::=--force-confold $(1) >/dev/null; } || \
    echo "== apt-get could not install $(1): tests that need it are skipped"

# $(call web_python,environment): put Python for the browser into an environment, where it is missing and can be had.
web_python = @wanted=$$($(1)/bin/python -c 'from tools.web_python import VERSION; print(VERSION)'); \
  wheel=dist/croupier_web_python-$$wanted-py3-none-any.whl; \
  if $(1)/bin/python -c "from importlib.metadata import version; exit(version('croupier-web-python') != '$$wanted')" 2>/dev/null; then exit 0; fi; \
  if ! [ -e $$wheel ] && ! { command -v npm && $(1)/bin/python -m tools.web_python dist; } >/dev/null 2>&1; then \
    echo "== no Python for the browser: it takes npm and a network to fetch it; the page has its own check alone"; exit 0; \
  fi; \
  $(1)/bin/python $(PIP) install --no-deps --no-index $$wheel

services: $(TEST_READY) # what the tests talk to: PostgreSQL, a browser, node for the modules of the page, and nginx
	@if [ "$$(id -u)" = 0 ] && ! [ -e /etc/postgresql-common/createcluster.conf ]; then \
	  mkdir -p /etc/postgresql-common; echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf; \
	fi # no main cluster: the tests start a server of their own and remove it
	$(call debian,postgresql,ls /usr/lib/postgresql/*/bin/initdb || command -v initdb)
	$(call debian,chromium-headless-shell,command -v chromium-headless-shell)
	$(call debian,chromium,command -v chromium-headless-shell || command -v chromium)
	$(call debian,nodejs,command -v node)
	$(call web_python,$(TEST))
	$(call debian,nginx-light,command -v nginx || ls /usr/sbin/nginx)

soak: $(TEST_READY) services ## the tests that take too long for every change
	$(call step,soak,$(TEST)/bin/pytest -n $(WORKERS) --dist worksteal -m soak $(ARGS))

bench: $(TEST_READY) ## measure speed, ARGS=rng one suite of it; ARGS go to `python -m benchmarks`
	@$(TEST)/bin/python -m benchmarks $(ARGS)

wheel: $(RUN_READY) ## build the wheel into dist/
	@$(RUN)/bin/python $(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist

release: $(TEST_READY) ## build wheel, source archive, SBOM and their sums into dist/release/, the same bytes from the same tree
	@$(TEST)/bin/python -m tools.release dist/release

web-python: $(RUN_READY) ## build croupier-web-python, Python for the browser, into dist/; needs npm
	@$(RUN)/bin/python -m tools.web_python dist

lock: ## resolve requirements/*.txt again; UPGRADE=1 takes newer versions
	$(check_python)
	@tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	$(PYTHON) -m venv "$$tools"; \
	"$$tools"/bin/python $(PIP) $(PIP_LOCKED) requirements/lock.txt; \
	resolve() { "$$tools"/bin/uv pip compile --quiet --no-header --annotation-style line --generate-hashes \
	  --universal --python-version 3.11 $(if $(UPGRADE),--upgrade) "$$@"; }; \
	cd requirements; \
	resolve ../pyproject.toml --extra all -o all.txt; \
	resolve ../pyproject.toml run.in -c all.txt -o run.txt; \
	resolve ../pyproject.toml run.in test.in -c all.txt -o test.txt; \
	resolve lock.in -o lock.txt; \
	resolve peers.in -o peers.txt; \
	for peer in $$(sed 's/ *#.*//' peers.in); do \
	  echo "$$peer" | resolve - -c peers.txt -o "../benchmarks/peers/python/$$peer.txt"; \
	done

clean: ## remove environments, caches and everything built
	rm -rf $(RUN) $(TEST) build dist site .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find benchmarks src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

define check_python
@command -v $(PYTHON) >/dev/null || { \
  echo "croupier needs Python 3.11 or newer, and '$(PYTHON)' is not there: make PYTHON=/path/to/python3" >&2; exit 1; }
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
  echo "croupier needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1): make PYTHON=/path/to/python3" >&2; exit 1; }
@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
  echo "$(PYTHON) cannot make virtual environments; on Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
endef

define environment
$(check_python)
@echo "== filling $(@D) from $<"
@$(PYTHON) -m venv --clear $(@D)
@$(@D)/bin/python $(PIP) $(PIP_LOCKED) $<
@touch $@
endef

$(RUN)/locked-$(ID): requirements/run.txt
	$(environment)

$(TEST)/locked-$(ID): requirements/test.txt
	$(environment)

$(RUN_READY) $(TEST_READY): %/ready-$(ID): %/locked-$(ID) pyproject.toml
	@$*/bin/python $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
