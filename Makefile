# WebRAG Desktop. `make help` lists the targets. Each target first completes the setup it needs.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-render setup-test run test test-rest test-all load conformance protocol hosts windows windows-setup lint format bench package release screenshots translations lock clean distclean

BIN := .venv/bin
# The model runtime must not send telemetry, not even while the model is built.
export ORT_DISABLE_TELEMETRY := 1
PYTEST_ARGS ?=
# Processes that run the test files. Four are best for two cores, because some tests wait for programs.
TEST_JOBS ?= 4
SUITE := tests/suite.py --jobs $(TEST_JOBS) --ignore=tests/conformance --ignore=tests/hosts
CHECKS := $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports --no-logo && $(BIN)/python tests/line_budget.py && $(BIN)/python -m tests.language.check
LOAD_MINUTES ?= 5
SOAK_MINUTES ?= $(if $(filter-out file,$(origin LOAD_MINUTES)),$(LOAD_MINUTES),10)
# Paths of data for the benchmarks. A benchmark without its data is skipped with a message.
SITES ?=
SITE ?=
QUESTIONS ?=
PACK ?=
PAIRS ?=
DOCS ?=
DOC_QUERIES ?=
CHUNKS ?= 10000
ABLATION ?=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: ## install system libraries and .venv, build the embedding model and the translations
	@installer/linux/system-packages.sh run
	@installer/environment.sh
	@$(BIN)/python assets/build_model.py
	@$(BIN)/python assets/translate.py --build

setup-render: setup ## setup, and the optional page renderer (a browser engine, 175 MB)
	@installer/linux/system-packages.sh run render
	$(BIN)/python -m pip install --disable-pip-version-check -q \
		"PySide6-Addons==$$($(BIN)/python -c 'import importlib.metadata as m; print(m.version("PySide6-Essentials"))')"

setup-test: setup
	@installer/linux/system-packages.sh test
	@installer/linux/system-packages.sh tools appimage

run: setup ## start the tray application; without a display, a tour in the terminal
	@if [[ -n "$$DISPLAY$$WAYLAND_DISPLAY" || "$$(uname -s)" == Darwin ]]; then $(BIN)/webrag-desktop; else $(BIN)/webrag tour; fi

# The checks run while tests wait for programs. Their failures are shown immediately and fail the target.
test: setup-test ## run the quick tests and, at the same time, lint (PYTEST_ARGS=..., TEST_JOBS=n)
	@mkdir -p build
	@{ { $(CHECKS); } > build/lint.txt 2>&1 || { [[ $$? == 130 ]] || { printf '\nlint failed:\n'; cat build/lint.txt; }; exit 1; }; } & lint=$$!; \
		QT_QPA_PLATFORM=offscreen $(BIN)/python $(SUITE) --tier quick $(PYTEST_ARGS); \
		status=$$?; if wait $$lint; then echo "lint passed"; else echo "lint failed, see above or build/lint.txt"; exit 1; fi; exit $$status

test-rest: setup-test ## test programs, browsers, installers and benchmarks, and properties with all examples
	QT_QPA_PLATFORM=offscreen $(BIN)/python $(SUITE) --tier rest $(PYTEST_ARGS)

test-all: test test-rest ## run every test

load: setup ## run twenty assistants under load, then through restarts, sleep, network failures and a full disk (LOAD_MINUTES=n)
	$(BIN)/python bench/load.py --pages 4 --minutes $(LOAD_MINUTES)
	$(BIN)/python bench/soak.py --minutes $(SOAK_MINUTES)

conformance: protocol hosts ## test the server with the MCP conformance suite, the Inspector and real assistants (npm, network)

protocol: setup ## run only the conformance suite and the Inspector
	@tests/conformance/install.sh build/conformance
	CONFORMANCE_TOOLS=$(CURDIR)/build/conformance QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -s tests/conformance $(PYTEST_ARGS)

# Outside the checkout, so that other checkouts find them.
HOST_PROGRAMS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/webrag-hosts

hosts: setup ## run only the real assistants (1.6 GB of packages, once)
	@tests/conformance/install.sh "$(HOST_PROGRAMS)" tests/hosts "install --no-save"
	HOST_PROGRAMS="$(HOST_PROGRAMS)" HOSTS_RESULT=$(CURDIR)/build/hosts.json \
		QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -s -rs tests/hosts $(PYTEST_ARGS)

WINDOWS_TESTS := tests/windows $(addprefix tests/,ground/test_containment.py ground/test_instance.py ground/test_paths.py \
	ground/test_settings.py ground/test_autostart.py ground/test_secrets.py ground/test_logs.py ingest/test_watching.py \
	clients/test_registrar.py clients/test_json_edit.py)
WINE := $(BIN)/python installer/windows_under_wine.py

windows: setup ## test with Windows Python under Wine (apt, network); pictures of the window in build/windows
	@$(WINE) make
	@rm -f build/windows/checks.txt
	@$(WINE) run -m pytest -q -p no:cacheprovider -p tests.windows.checks $(WINDOWS_TESTS) $(PYTEST_ARGS); \
		status=$$?; $(WINE) stop; \
		if [[ $$status == 0 && ! -s build/windows/checks.txt ]]; then echo "The tests under Wine ended without a result" >&2; status=1; fi; \
		exit $$status
	@if [[ -n "$$(type -P xvfb-run)" ]]; then xvfb-run -a -s "-screen 0 1440x900x24" $(WINE) show tests/windows/pictures.py build/windows; \
		status=$$?; $(WINE) stop; exit $$status; else echo "No pictures of the window: xvfb-run is missing"; fi

windows-setup: setup ## build the Windows installer under Wine, then install, use, update and remove it there
	@installer/linux/system-packages.sh tools
	@$(BIN)/python installer/windows_setup.py
	@$(BIN)/python installer/try_setup.py

lint: setup ## check style, types, layers, the number of lines and the English
	$(CHECKS)

format: setup ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup ## measure speed and quality (data: SITES= QUESTIONS= PACK= PAIRS=; size: CHUNKS=; stages: ABLATION=n)
	$(BIN)/python bench/store.py --chunks $(CHUNKS)
	$(BIN)/python bench/latency.py
	$(BIN)/python bench/library.py
	$(BIN)/python bench/load.py --clients 5 --calls 200
	$(BIN)/python bench/window.py
	$(BIN)/python bench/bridge.py
	$(BIN)/python bench/hops.py
	$(BIN)/python bench/crash.py --rounds 40 --copies 40
	$(BIN)/python bench/properties.py
	$(BIN)/python bench/fuzz.py
	$(BIN)/python bench/formats.py
	$(BIN)/python bench/tool_calls.py
	@if [[ -n "$(SITES)" && -n "$(QUESTIONS)" ]]; then $(BIN)/python bench/answers.py --sites "$(SITES)" --questions $(QUESTIONS) --search; \
		else echo "bench/answers.py skipped: set SITES= and QUESTIONS="; fi
	@if [[ -n "$(SITES)" && -n "$(QUESTIONS)" && -n "$(ABLATION)" ]]; then \
		$(BIN)/python bench/ablation.py --sites "$(SITES)" --questions $(QUESTIONS) --jobs "$(ABLATION)"; \
		else echo "bench/ablation.py skipped: set SITES=, QUESTIONS= and ABLATION= (how many processes)"; fi
	@if [[ -n "$(SITES)" && -n "$(QUESTIONS)" ]]; then $(BIN)/python bench/evidence.py --sites "$(SITES)" --questions $(QUESTIONS); \
		else echo "bench/evidence.py skipped: set SITES= and QUESTIONS="; fi
	@if [[ -n "$(SITE)" ]]; then $(BIN)/python bench/graph.py --site "$(SITE)"; else echo "bench/graph.py skipped: set SITE="; fi
	@if [[ -n "$(SITES)" ]]; then $(BIN)/python bench/structure.py --sites "$(SITES)" && $(BIN)/python bench/shield.py --sites "$(SITES)"; \
		else echo "bench/structure.py and bench/shield.py skipped: set SITES="; fi
	@if [[ -n "$(PACK)" ]]; then $(BIN)/python bench/extraction.py --pack "$(PACK)"; else echo "bench/extraction.py skipped: set PACK="; fi
	@if [[ -n "$(SITES)" ]]; then $(BIN)/python bench/ingest.py --sites "$(SITES)"; else echo "bench/ingest.py --sites skipped: set SITES="; fi
	@if [[ -n "$(PACK)" ]]; then $(BIN)/python bench/ingest.py --pack "$(PACK)"; else echo "bench/ingest.py --pack skipped: set PACK="; fi
	@if [[ -n "$(DOCS)" && -n "$(DOC_QUERIES)" ]]; then $(BIN)/python bench/docs.py --folder "$(DOCS)" --queries $(DOC_QUERIES); \
		else echo "bench/docs.py skipped: set DOCS= and DOC_QUERIES="; fi
	@if [[ -n "$(PAIRS)" ]]; then $(BIN)/python bench/embedding.py --pairs "$(PAIRS)"; else echo "bench/embedding.py skipped: set PAIRS="; fi

package: setup ## build the wheel, the frozen program and every installer that this system can build, in dist/
	@installer/linux/system-packages.sh package appimage
	$(BIN)/python installer/build.py all

release: setup ## package, and under Wine the Windows installer (apt, network), with one manifest
	@installer/linux/system-packages.sh package appimage tools windows
	$(BIN)/python installer/build.py release

screenshots: setup-test ## take pictures of every page in build/screenshots, and update docs/screenshots
	xvfb-run -a -s "-screen 0 1440x900x24" $(BIN)/python docs/make_screenshots.py
	xvfb-run -a -s "-screen 0 1440x900x24" $(BIN)/python docs/make_screenshots.py --scale 2

translations: setup ## update the catalogs assets/translations/*.ts and list their problems
	$(BIN)/python assets/translate.py
	$(BIN)/python assets/translate.py --check

lock: setup ## update requirements.lock from pyproject.toml
	installer/lock.sh

clean: ## remove the output of builds and checks
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find app assets bench tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## clean, and remove the environment and the model
	rm -rf .venv assets/model
