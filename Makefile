# One word per chore. `make setup` makes .venv with everything; the others call it by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
NATIVE := CMakeLists.txt $(wildcard native/*)
PAGE := web/dist/index.html
PAGE_SOURCES := $(shell find web/src web/public src/triomino/words src/triomino/puzzles -type f \
	-not -name '*.py' -not -name '*.pyc' -not -name '*.wasm') \
	src/triomino/kernel/network.bin src/triomino/analysis/calibration.json \
	$(wildcard web/*.json web/*.ts web/*.js web/*.html)

# Without bytecode every server and command that a test starts compiles all that it imports, and
# every worker of pytest rewrites all tests: 13 seconds instead of 4.
unexport PYTHONDONTWRITEBYTECODE
# The matrices here are small. On a busy machine two threads that share one wait for each other in a
# loop: a small training run took 53 seconds of processor time instead of 1.5.
export OPENBLAS_NUM_THREADS = 1

.DEFAULT_GOAL := help
.PHONY: chaos cluster bench-cluster haproxy sizing puzzles check-puzzles
.PHONY: help setup web site serve play test test-long browser lint format bench mutants requirements build clean
.PHONY: ppo test-ppo bench-env bench-ray test-research test-cluster wasm words bench-server bench-wasm bench-web bench-rules bench-regret bench-ratings bench-pool bench-timing bench-exploiter learn screenshots crash soak crowd simulate-ratings attack agreement agreement-batch agreement-network endings bench-endings truth findings generate native-mutants sanitize

help:  ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(STAMP) $(PAGE)  ## make .venv with all that is needed

$(STAMP): pyproject.toml requirements/dev.txt $(NATIVE)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "triomino needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
		{ echo "cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python -m uv pip install --quiet --python $(BIN)/python -r requirements/dev.txt
	PATH="$(CURDIR)/$(BIN):$$PATH" TRIOMINO_KERNEL=required $(BIN)/python -m uv pip install --quiet \
		--python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

web: $(PAGE)  ## build the page that the server shows

$(PAGE): $(PAGE_SOURCES) $(NATIVE) tools/wasm.py | $(STAMP)
	tools/npm ci --no-audit --no-fund --loglevel=error
	$(BIN)/python -m tools.wasm
	tools/npm run --silent build
	@touch $@

wasm: $(STAMP)  ## the kernel as WebAssembly, which the page and the site carry
	@test -d web/node_modules/binaryen || tools/npm ci --no-audit --no-fund --loglevel=error
	$(BIN)/python -m tools.wasm

site: setup  ## the whole game without a server, as files for any https host, in dist/site
	tools/npm run --silent build -- --mode site --outDir ../dist/site --emptyOutDir

serve: setup  ## tables for people and bots, in the browser
	@$(BIN)/triomino serve

play: setup  ## the game in your browser; where there is none, its address
	@$(BIN)/triomino

# Much of a test is waiting for a server or a browser: two workers keep one processor busy.
WORKERS ?= $(shell echo $$(( $$(nproc 2>/dev/null || echo 2) * 2 )))
LINT = $(MAKE) --no-print-directory lint
# A machine that checks for others is busy: what failed there is run once more, alone, and both are shown.
AGAIN = if [ -n "$$CI" ] && [ $$tests = 1 ]; then \
	echo "What failed is run once more, alone:"; $(BIN)/pytest --last-failed --maxfail=3; tests=$$?; fi;
test: setup browser haproxy  ## all checks and tests, side by side
	@mkdir -p build
	@$(LINT) > build/lint.log 2>&1 & lint=$$!; \
		$(BIN)/pytest --numprocesses=$(WORKERS) --dist=worksteal; tests=$$?; \
		wait $$lint; checks=$$?; cat build/lint.log; \
		$(AGAIN) \
		[ $$checks = 0 ] || echo "make lint failed: see above"; \
		[ $$tests = 0 ] || echo "pytest failed: see above"; \
		[ $$tests = 0 ] && [ $$checks = 0 ]

test-long: export TRIOMINO_LONG = 1
test-long: export PYTEST_TIMEOUT = 3600
test-long: test test-research test-ppo test-cluster  ## the same with all fuzz, kill and soak tests at full length

# Libraries that only some need, each in an environment that finds all else in .venv.
RESEARCH := build/research
RAY := build/ray
PPO := build/ppo
OTHERS := build/others
$(RESEARCH)/.ready $(RAY)/.ready $(PPO)/.ready $(OTHERS)/.ready: build/%/.ready: requirements/%.txt tools/beside.py $(STAMP)
	@test -x build/$*/bin/python || $(PYTHON) -m venv build/$*
	$(BIN)/python -m uv pip install --quiet --python build/$*/bin/python -r $<
	@build/$*/bin/python tools/beside.py $(VENV)
	@touch $@

test-research: $(RESEARCH)/.ready  ## the adapters of triomino.env with PettingZoo, Gymnasium and OpenSpiel
	$(RESEARCH)/bin/python -m pytest tests/research -q

test-ppo: $(PPO)/.ready  ## a small run of the recipe for MaskablePPO
	$(PPO)/bin/python -m pytest tests/research/test_examples.py -k ppo -q

ppo: $(PPO)/.ready  ## train MaskablePPO against greedy, and let it play against random
	OMP_NUM_THREADS=1 $(PPO)/bin/python examples/research/ppo.py

# In a network of its own, which has the loopback device alone: Ray listens on all there are.
test-cluster: $(RAY)/.ready  ## lab work over two local Ray workers, one of which is killed
	unshare --net --map-root-user $(RAY)/bin/python -m tests.cluster.loopback \
		$(RAY)/bin/python -m pytest tests/cluster -q

bench-ray: $(RAY)/.ready  ## what spreading lab work over two local Ray workers costs
	unshare --net --map-root-user $(RAY)/bin/python -m tests.cluster.loopback \
		$(RAY)/bin/python -m benchmarks.spread

# The headless shell is the same engine without a window: the tests take two thirds of the time.
browser:  # Chromium for the tests of the page
	@[ -n "$$CHROMIUM" ] || command -v chromium-headless-shell > /dev/null || \
		{ [ "$$(id -u)" = 0 ] && apt-get update -qq && \
			apt-get install -y -qq chromium-headless-shell > /dev/null; } || \
		command -v chromium chromium-browser google-chrome chrome > /dev/null || \
		{ echo "the tests of the page need Chromium: apt-get install chromium-headless-shell"; exit 1; }

haproxy:  # the proxy before several servers; a test in the browser is left out without it
	@command -v haproxy > /dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && \
		apt-get install -y -qq haproxy > /dev/null; } || echo "HAProxy is missing: apt-get install haproxy"

CPP := native/*.cpp native/*.hpp benchmarks/kernel/count.cpp
CLANG_FORMAT := $(BIN)/clang-format --style=file:native/.clang-format

lint: setup  ## style and types, of Python, C++ and the page
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(CLANG_FORMAT) --dry-run --Werror $(CPP)
	$(BIN)/mypy
	tools/npm run --silent lint
	tools/npm run --silent check
	tools/npm test --silent

format: setup  ## put the style right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(CLANG_FORMAT) -i $(CPP)
	tools/npm run --silent format

words: setup  ## what is missing or wrong in the texts of each language
	@$(BIN)/python -m tools.words

bench: setup  ## speed of this machine, as rates in one run
	$(BIN)/triomino bench

bench-env: $(OTHERS)/.ready  ## triomino.env beside other environments; WRITE=--write puts it into docs/research.md
	$(OTHERS)/bin/python -m benchmarks.env $(WRITE)

bench-server: setup  ## the table server beside a bare echo: moves, waits, memory, restart
	$(BIN)/python -m benchmarks.server

# The other checkout needs its own `make setup`.
bench-web: setup browser  ## the page on a slow phone: size, loads, Play, moves; beside OLD=../old if given
	$(BIN)/python -m benchmarks.web $(if $(filter file undefined,$(origin OLD)),,--old $(OLD))

bench-wasm: setup wasm browser  ## the kernel as WebAssembly beside the native one, games without a server: size, speed
	$(BIN)/python -m benchmarks.kernel.wasm
	$(BIN)/python -m benchmarks.web.local

OLD ?= ../old
bench-rules: setup  ## random rounds by the rules in Python, beside the checkout OLD=../old
	$(BIN)/python -m benchmarks.rules --old $(OLD)

bench-regret: setup  ## what a bot loses by thinking for 1, 10 and 50 ms
	$(BIN)/python -m benchmarks.bots.regret

bench-ratings: setup  ## all levels against each other: fails if they are no ladder
	$(BIN)/python -m benchmarks.bots.ratings

bench-pool: setup  ## the champion against a frozen pool of opponents: the worst result counts
	$(BIN)/python -m benchmarks.bots.pool

bench-timing: setup  ## whether bots keep to the time they are given: fails if 1 move in 1,000 does not
	$(BIN)/python -m benchmarks.bots.timing

bench-exploiter: setup  ## train an opponent against the champion for two hours: fails if it wins 53 %
	$(BIN)/python -m benchmarks.bots.exploiter

screenshots: setup browser  ## every page on three screens, by day and night, in build/screenshots
	$(BIN)/python -m benchmarks.web.pictures

KILLS ?= 100
crash: setup  ## kill -9 under load, KILLS=100 times: nothing acknowledged is lost
	$(BIN)/python -m tests.server.crash --kills $(KILLS)

MINUTES ?= 5
soak: setup  ## a busy server, or with THREE=1 three, for MINUTES=5: memory and handles stay flat
	$(BIN)/python -m tests.server.soak --minutes $(MINUTES) $(if $(THREE),--three)

PEOPLE ?= 60
crowd: setup  ## PEOPLE=60 who want to play now, for three minutes; KILLS=3, THREE=1 servers
	$(BIN)/python -m tests.server.crowd --people $(PEOPLE) --kills $(if $(filter command line,$(origin KILLS)),$(KILLS),0) $(if $(THREE),--three)

simulate-ratings: setup  ## whether ratings find the order of players, with a picture
	$(BIN)/python -m benchmarks.ratings

SECONDS ?= 120
attack: setup  ## floods from one address beside a match of others, SECONDS=120 each
	$(BIN)/python -m benchmarks.attack --seconds $(SECONDS)

FAULTS ?= 50
chaos: setup  ## three servers under load, FAULTS=50 kills, pauses and cuts: nothing is lost
	$(BIN)/python -m tests.nodes.chaos --faults $(FAULTS)

cluster: setup haproxy  ## PostgreSQL, Valkey, three servers and HAProxy on this machine
	$(BIN)/python -m tools.cluster

bench-cluster: setup  ## one server on SQLite, one on PostgreSQL, three together: ratios in one run
	$(BIN)/python -m benchmarks.cluster

sizing: setup  ## what 1,000 to 1,000,000 people need, from measurements made now; into docs/sizing.md
	$(BIN)/python -m benchmarks.sizing --write

LEARN ?=
learn: setup  ## train the network that judges positions; LEARN=--small takes minutes
	$(BIN)/python -m triomino.lab.learning $(LEARN)

POSITIONS ?= 200000
agreement: setup  ## Python and the kernel side by side, POSITIONS=200000 positions
	$(BIN)/python -m tests.agreement.walk --positions $(POSITIONS)

agreement-batch: setup  ## every step of batches beside Python, POSITIONS=200000 of every edition
	$(BIN)/python -m tests.env.walk --positions $(POSITIONS)

agreement-network: setup  ## the network in Python and in the kernel, POSITIONS=100000 judgements
	$(BIN)/python -m tests.agreement.network --positions $(if $(filter file undefined,$(origin POSITIONS)),100000,$(POSITIONS))

COUNT ?= 1000
endings: setup  ## the solver of endings beside brute force, COUNT=1000 of them
	$(BIN)/python -m tests.endings --count $(COUNT)

bench-endings: setup  ## how many endings are solved within 50 ms, COUNT=1000 of them
	$(BIN)/python -m benchmarks.endings --count $(COUNT)

ROUNDS ?= 2000
truth: setup  ## whether the analysis tells the truth: chances, luck, blame, by ROUNDS=2000
	$(BIN)/python -m benchmarks.analysis --rounds $(ROUNDS)

findings: setup  ## docs/findings.md and its pictures, from nothing
	$(BIN)/python -m benchmarks.findings

puzzles: setup  ## a year of puzzles from nothing, an hour: src/triomino/puzzles/year.json
	$(BIN)/triomino puzzles make src/triomino/puzzles/year.json --seed 1 --games 1830

check-puzzles: setup  ## every puzzle that ships, judged anew by a deep search
	$(BIN)/triomino puzzles check

generate: setup  ## write everything generated anew: protocol types and schema, page data, stubs
	$(BIN)/python -m triomino.protocol.schema docs/protocol.schema.json web/src/protocol.d.ts
	$(BIN)/python -m tools.web_data
	$(BIN)/python -m nanobind.stubgen -q -m triomino.kernel._native -o src/triomino/kernel/_native.pyi

mutants: setup  ## deliberate errors in the rules, one by one: every one must be caught
	$(BIN)/python tools/mutants.py

native-mutants: setup  ## deliberate errors in the kernel, one by one: every one must be caught
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tools/native_mutants.py

# Leaks are those of Python and its libraries, which end without freeing what they hold.
sanitize: setup  ## the kernel's tests under the address and undefined-behaviour sanitizers
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S native -B build/sanitize -G Ninja -DTRIOMINO_SANITIZE=ON \
		-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -DCMAKE_BUILD_TYPE=Release > /dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/sanitize
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 $(BIN)/python tools/with_native.py \
		$$(ls build/sanitize/module/_native*) -m pytest -q -p no:cacheprovider \
		tests/kernel tests/agreement tests/env

.PHONY: docs licences lint-release release-check
# Tools that only a release needs, and the generator of the documentation.
RELEASE := build/release-tools
DOCS := build/docs-tools
$(RELEASE)/.ready $(DOCS)/.ready: build/%-tools/.ready: requirements/%.txt tools/beside.py $(STAMP)
	@test -x build/$*-tools/bin/python || $(PYTHON) -m venv build/$*-tools
	$(BIN)/python -m uv pip install --quiet --python build/$*-tools/bin/python -r $<
	@build/$*-tools/bin/python tools/beside.py $(VENV)
	@touch $@

SUITE ?= test-long
release-check: $(SUITE) docs lint-release $(RELEASE)/.ready  ## all that a release must pass; SUITE=test is shorter, SUITE=setup has no tests
	$(BIN)/python -m tools.release_check

# What other compilers say of the kernel: clang, for the systems that wheels are made for.
SYSTEMS := aarch64-linux-gnu aarch64-macos x86_64-windows-gnu
lint-release: $(RELEASE)/.ready  ## the image, compose files, workflows, and the kernel under clang without a warning
	$(RELEASE)/bin/hadolint Dockerfile
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml compose.cluster.yaml
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(RELEASE)/bin/zizmor --quiet --offline .github
	@mkdir -p build/clang
	for system in $(SYSTEMS); do echo "clang for $$system"; \
		for file in $(filter-out native/bind% native/wasm.cpp,$(wildcard native/*.cpp)); do \
			$(BIN)/python -m ziglang c++ -target $$system -std=c++20 -O0 -Wall -Wextra -Werror -c \
				-DTRIOMINO_ARCH=portable $$file -o build/clang/$$system-$$(basename $$file).o || exit 1; \
		done; done

docs: site $(DOCS)/.ready  ## the documentation with the game in it, a whole home page, in build/docs
	$(DOCS)/bin/python -m tools.site.build

licences: setup  ## the licences of everything that is shipped
	@$(BIN)/python -m tools.licences

PIN = $(BIN)/python -m uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url \
	--python-version 3.11 --upgrade
requirements: setup  ## pin the newest dependencies
	$(PIN) --group dev pyproject.toml --output-file requirements/dev.txt
	for name in research ray ppo others release docs; do \
		$(PIN) requirements/$$name.in --output-file requirements/$$name.txt || exit 1; done

build: setup  ## a wheel and an sdist in dist/
	$(BIN)/python -m build --no-isolation

clean:  ## remove what make made
	rm -rf $(VENV) web/dist web/node_modules web/.svelte-check build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
