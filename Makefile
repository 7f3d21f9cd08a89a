# The two main commands: `make run` opens the app, `make test` runs every test.

# Views are generic. Cross-module optimization lets the compiler specialise them across modules, and the
# other flag avoids looking their types up by name at the start (docs/decisions/0024). What is installed is
# stripped, so debug information would only cost time and memory.
RELEASE = -c release --scratch-path $(SHIPPED) --static-swift-stdlib -Xswiftc -cross-module-optimization \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors -Xswiftc -gnone
# Debug builds, without debug information; leave this empty to have it. SwiftPM finds the tests in the
# index, so that stays. The compiler doesn't check its own output, which takes an eighth of the time.
DEBUG_BUILD ?= -Xswiftc -gnone -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify
# The scratch path of release builds. With a separate one, a release build can run beside a debug build.
SHIPPED ?= .build
# Builds a bench, which nothing else does (Package.swift). All share the options of what ships, so that no
# bench builds again what another, or the program, has built.
BENCH = BENCHES=1 swift build $(RELEASE) --product
# Links a program as docs/libraries.md recommends for one that starts often. The bench counts allocations with
# a malloc of its own.
LEAN = --scratch-path .build/lean -Xswiftc -static-executable -Xlinker -z -Xlinker muldefs
# Builds the peers for a screen size and measures them with the bench: $(call BENCH_PEERS,NAME,COLUMNS,ROWS).
PEER = cc -O2 -DWIDTH=$(2) -DHEIGHT=$(3)
BENCH_PEERS = $(PEER) -o .build/peers/floor Sources/Tools/Peers/floor.c && \
	$(PEER) -o .build/peers/ncurses Sources/Tools/Peers/ncurses.c -lncursesw && \
	$(if $(TERMBOX2),$(PEER) -I"$(TERMBOX2)" -o .build/peers/termbox2 Sources/Tools/Peers/termbox2.c &&) \
	Scripts/bench $(1) $(SHIPPED)/release/TerminalDriver $(2)x$(3) floor=.build/peers/floor \
	  ncurses=.build/peers/ncurses $(if $(TERMBOX2),termbox2=.build/peers/termbox2) lifesignal=.build/lean/release/TerminalBench
PREFIX ?= /usr/local
COMPLETIONS = $(PREFIX)/share
SOURCES = Package.swift Sources Tests docs/Examples
EXAMPLES = $(wildcard docs/Examples/*)

FUZZ_BYTES ?= 1000000000
SEEDS ?= 1000
CORE_TESTS = Composable(Foundation|Testing)?Tests

.PHONY: run app run-server test build-tests nightly test-release probe-c test-thread-sanitizer test-address-sanitizer test-repeatedly fuzz \
	simulate faults browser build benches release examples docs bench bench-core bench-account bench-terminal \
	bench-monitor bench-server lint format pictures man install deb clean help

run: ## Build the app and open it; what is installed is optimized (make install)
	@Scripts/setup
	@Scripts/build-app $(DEBUG_BUILD)
	@.build/debug/lifesignal

run-server: ## Run a server and its monitor on this machine, in .build/server
	@Scripts/setup
	@swift build $(DEBUG_BUILD) --product lifesignal-server
	@swift build $(DEBUG_BUILD) --product lifesignal-monitor
	@test -e .build/server/server.json || .build/debug/lifesignal-server init --data .build/server \
		--url http://127.0.0.1:8738 --listen 127.0.0.1:8738
	@.build/debug/lifesignal-server invite --data .build/server
	@.build/debug/lifesignal-monitor --data .build/server & monitor=$$!; trap "kill $$monitor" EXIT; \
		.build/debug/lifesignal-server run --data .build/server

test: build-tests ## Run every test
	@Scripts/test

build-tests:
	@Scripts/setup --tests
	swift build --build-tests $(DEBUG_BUILD)

test-release: release ## Run the end-to-end tests on the release build
	@Scripts/setup --tests
	swift build --build-tests $(DEBUG_BUILD)
	@# WalkTests use separate programs, with a clock that the test moves.
	@BUILT_PROGRAMS=$(abspath $(SHIPPED))/release Scripts/test --filter EndToEndTests --skip WalkTests

fuzz: ## Decode FUZZ_BYTES random bytes of terminal input
	@Scripts/setup
	$(BENCH) TerminalFuzz
	@$(SHIPPED)/release/TerminalFuzz $(FUZZ_BYTES)

probe-c: ## Exercise everything that touches C, in the release build
	@Scripts/setup
	@swift build $(RELEASE) --product c-probe
	@$(SHIPPED)/release/c-probe

test-thread-sanitizer: ## Look for data races in the core, the clients and the features
	@Scripts/setup --tests
	swift build --build-tests --sanitize thread --scratch-path .build/thread-sanitizer
	TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/thread-sanitizer.txt swift test --skip-build \
		--sanitize thread --scratch-path .build/thread-sanitizer --no-parallel \
		--filter '$(CORE_TESTS)|DomainTests|ClientsTests|FeaturesTests'

test-address-sanitizer: ## Look for memory errors and leaks in the core and where it calls C
	@Scripts/setup --tests
	swift build --build-tests --sanitize address --scratch-path .build/address-sanitizer
	LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leak-sanitizer.txt swift test --skip-build \
		--sanitize address --scratch-path .build/address-sanitizer --no-parallel \
		--filter '$(CORE_TESTS)' --skip whatIsPreparedHolds # Its process exits without freeing what it prepared.
	swift build -c release --sanitize address --scratch-path .build/address-sanitizer --product c-probe
	LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leak-sanitizer.txt \
		.build/address-sanitizer/release/c-probe

simulate: ## Simulate SEEDS random worlds in memory, and SEEDS/20 with a store in files
	@Scripts/setup
	swift build $(RELEASE) --product simulate
	@$(SHIPPED)/release/simulate --seeds $(SEEDS)
	@$(SHIPPED)/release/simulate --seeds $$(($(SEEDS) / 20)) --store files

faults: release ## Test real processes against crashes, full disks, clock changes and other faults
	@Scripts/faults/run

browser: release ## Test the pages behind message links in a real browser
	@Scripts/setup --browser
	@PROGRAMS=$(SHIPPED)/release Scripts/browser/check .build/pages

nightly: test-release benches probe-c examples docs fuzz faults browser test-thread-sanitizer test-address-sanitizer test-repeatedly ## Run the checks that take hours: sanitizers, faults, random input, 10,000 simulations
	NIGHTLY=1 Scripts/test --filter 'FlippedIndexTests|HostileFilesTests|PlatformContractTests'
	$(MAKE) simulate SEEDS=10000

test-repeatedly: ## Repeat the TestStore tests 10,000 times under load
	@Scripts/setup --tests
	swift build --build-tests $(DEBUG_BUILD)
	Scripts/repeat-tests 10000

benches:
	@for bench in AccountBench CoreBench MonitorBench ServerBench TerminalBench TerminalDriver; do \
	  $(BENCH) $$bench || exit 1; done

build: ## Build the debug version
	@Scripts/setup
	swift build $(DEBUG_BUILD)

app:
	@Scripts/setup
	@swift build $(RELEASE) --product lifesignal
	@swift build $(RELEASE) --product lifesignal-monitor

release: app ## Build the three programs for release, with the Swift libraries linked in
	@swift build $(RELEASE) --product lifesignal-server

examples: ## Build and test the examples, which use the libraries from packages of their own
	@# In one scratch path, so that the libraries are built once.
	@for example in $(EXAMPLES); do \
	  swift build --build-tests --package-path $$example --scratch-path .build/examples && \
	  swift test --skip-build --package-path $$example --scratch-path .build/examples || exit 1; done

docs: ## Check the libraries' documentation and build it into .build/docs
	@Scripts/document

lint: ## Check the formatting, the wording, and that each rule has a test
	swift format lint --strict --recursive $(SOURCES)
	@Scripts/words --self-test && Scripts/words
	@Scripts/rules

format: ## Fix the formatting
	swift format --in-place --recursive $(SOURCES)

bench: bench-core bench-account bench-terminal ## Measure the core, a large account, and the terminal
	@echo "Scripts/bench --write puts these tables into docs/performance.md."

bench-core: ## Measure the core, and compare each case with its goal
	@$(BENCH) CoreBench
	@Scripts/bench core $(SHIPPED)/release/CoreBench

bench-account: release ## Measure an account with 10,000 contacts and 100,000 check-ins
	@$(BENCH) AccountBench
	@Scripts/bench account $(SHIPPED)/release/AccountBench $(SHIPPED)/release/lifesignal
	@Scripts/bench joined $(SHIPPED)/release/AccountBench $(SHIPPED)/release/lifesignal \
	  $(SHIPPED)/release/lifesignal-server

bench-terminal: ## Measure the terminal on the common workload, compared with a minimal program, ncurses and termbox2 (TERMBOX2=FOLDER)
	@Scripts/setup --bench
	@mkdir -p .build/peers
	@$(BENCH) TerminalBench $(LEAN)
	@$(BENCH) TerminalDriver
	@Scripts/bench parts .build/lean/release/TerminalBench
	@$(if $(TERMBOX2),,echo "termbox2 is left out: set TERMBOX2 to the folder of termbox2.h.")
	@$(call BENCH_PEERS,terminal,160,48)
	@$(call BENCH_PEERS,terminal-80,80,24)

bench-monitor: ## Measure the monitor with up to a million people, with stores in FOLDER
	@Scripts/setup
	@$(BENCH) MonitorBench
	@$(SHIPPED)/release/MonitorBench $(FOLDER)

bench-server: ## Measure a server with PostgreSQL (STORE=sqlite for SQLite); the last line is JSON
	@Scripts/setup
	@$(BENCH) ServerBench
	@$(SHIPPED)/release/ServerBench $(STORE) $(ACCOUNTS)

man: build ## Generate docs/lifesignal.1 from the command declarations
	@.build/debug/lifesignal help --man > docs/lifesignal.1

pictures: build ## Generate the pictures of the main screens from the demo
	@for screen in check-in responders dependents alerts profile emergency; do \
	  .build/debug/lifesignal demo --frame $$screen --size 80x24 --format svg \
	    > docs/pictures/$$screen-80x24.svg; done
	@.build/debug/lifesignal demo --frame check-in --size 120x40 --format svg > docs/pictures/check-in-120x40.svg

install: release ## Install the programs, the man page and the completions under PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(SHIPPED)/release/lifesignal $(SHIPPED)/release/lifesignal-monitor $(SHIPPED)/release/lifesignal-server $(DESTDIR)$(PREFIX)/bin
	install -m 644 docs/lifesignal.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(COMPLETIONS)/bash-completion/completions \
	  $(DESTDIR)$(COMPLETIONS)/zsh/site-functions $(DESTDIR)$(COMPLETIONS)/fish/vendor_completions.d
	$(SHIPPED)/release/lifesignal completions bash \
	  > $(DESTDIR)$(COMPLETIONS)/bash-completion/completions/lifesignal
	$(SHIPPED)/release/lifesignal completions zsh \
	  > $(DESTDIR)$(COMPLETIONS)/zsh/site-functions/_lifesignal
	$(SHIPPED)/release/lifesignal completions fish \
	  > $(DESTDIR)$(COMPLETIONS)/fish/vendor_completions.d/lifesignal.fish

deb: release ## Build a Debian package and a tarball into build/package
	@Scripts/package/build

clean: ## Remove the build products
	swift package clean

help: ## Show these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile
