# The two commands that matter: `make run` opens the app, `make test` runs every test.

# Views are generic: across modules they are specialised only when the compiler may look into both,
# and their types are not looked up by name at the start (docs/decisions/0024).
RELEASE = -c release --scratch-path $(SHIPPED) --static-swift-stdlib -Xswiftc -cross-module-optimization \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Where it is built; in a folder of its own, a release build can run beside a debug build.
SHIPPED ?= .build
PREFIX ?= /usr/local
COMPLETIONS = $(PREFIX)/share
SOURCES = Package.swift Sources Tests docs/Examples
EXAMPLES = .build/examples/Counter

FUZZ_BYTES ?= 1000000000
SEEDS ?= 1000
CORE_TESTS = Composable(Testing)?Tests

.PHONY: run app run-server test nightly test-release probe-c test-thread-sanitizer test-address-sanitizer test-repeatedly fuzz \
	simulate faults browser build release examples docs bench bench-core bench-account bench-terminal \
	bench-monitor bench-server lint format pictures man install deb clean help

run: app ## Build the app and open it
	@$(SHIPPED)/release/lifesignal

run-server: ## Run a server and its monitor for this machine, in .build/server
	@Scripts/setup
	@swift build --product lifesignal-server
	@swift build --product lifesignal-monitor
	@test -e .build/server/server.json || .build/debug/lifesignal-server init --data .build/server \
		--url http://127.0.0.1:8738 --listen 127.0.0.1:8738
	@.build/debug/lifesignal-server invite --data .build/server
	@.build/debug/lifesignal-monitor --data .build/server & monitor=$$!; trap "kill $$monitor" EXIT; \
		.build/debug/lifesignal-server run --data .build/server

test: ## Run every test
	@Scripts/setup --tests
	swift build --build-tests $(DEBUG_BUILD)
	@Scripts/test

test-release: release ## Run the tests of the whole program against what ships
	@Scripts/setup --tests
	swift build --build-tests $(DEBUG_BUILD)
	@# The walk has programs of its own, with a clock that a test moves.
	@BUILT_PROGRAMS=$(abspath $(SHIPPED))/release Scripts/test --filter EndToEndTests --skip WalkTests

fuzz: ## Decode FUZZ_BYTES random bytes of terminal input
	@Scripts/setup
	swift build $(RELEASE) --product TerminalFuzz
	@$(SHIPPED)/release/TerminalFuzz $(FUZZ_BYTES)

probe-c: ## Drive everything that touches C, built as it ships
	@Scripts/setup
	@swift build $(RELEASE) --product c-probe
	@$(SHIPPED)/release/c-probe

test-thread-sanitizer: ## Look for data races in the core, the clients and the features
	@Scripts/setup --tests
	swift build --build-tests --sanitize thread --scratch-path .build/thread-sanitizer
	TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/thread-sanitizer.txt swift test --skip-build \
		--sanitize thread --scratch-path .build/thread-sanitizer --no-parallel \
		--filter '$(CORE_TESTS)|DomainTests|ClientsTests|FeaturesTests'

test-address-sanitizer: ## Look for misused memory and leaks in the core, and where C is touched
	@Scripts/setup --tests
	swift build --build-tests --sanitize address --scratch-path .build/address-sanitizer
	LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leak-sanitizer.txt swift test --skip-build \
		--sanitize address --scratch-path .build/address-sanitizer --no-parallel \
		--filter '$(CORE_TESTS)' --skip whatIsPreparedHolds # Its process ends with all it has prepared.
	swift build -c release --sanitize address --scratch-path .build/address-sanitizer --product c-probe
	LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leak-sanitizer.txt \
		.build/address-sanitizer/release/c-probe

simulate: ## Run SEEDS random lives of people and monitors, and a twentieth of them in files
	@Scripts/setup
	swift build $(RELEASE) --product simulate
	@$(SHIPPED)/release/simulate --seeds $(SEEDS)
	@$(SHIPPED)/release/simulate --seeds $$(($(SEEDS) / 20)) --store files

faults: release ## Show real processes what a machine can do to them
	@Scripts/faults/run

browser: release ## Open the pages behind the links of messages in a real browser
	@Scripts/setup --browser
	@PROGRAMS=$(SHIPPED)/release Scripts/browser/check .build/pages

nightly: examples docs fuzz faults browser test-thread-sanitizer test-address-sanitizer test-repeatedly ## Run what takes hours: sanitizers, faults, random input, 10,000 random lives
	NIGHTLY=1 Scripts/test --filter 'FlippedIndexTests|HostileFilesTests'
	$(MAKE) simulate SEEDS=10000

test-repeatedly: ## Repeat the tests of test stores 10,000 times, under load
	@Scripts/setup --tests
	swift build --build-tests
	Scripts/repeat-tests 10000

build: ## Build for debugging
	@Scripts/setup
	swift build

app:
	@Scripts/setup
	@swift build $(RELEASE) --product lifesignal
	@swift build $(RELEASE) --product lifesignal-monitor

release: app ## Build what ships: three programs without Swift libraries beside them
	@swift build $(RELEASE) --product lifesignal-server

examples: ## Build and test the examples, which use the libraries from a package of their own
	swift build --build-tests --package-path docs/Examples/Counter --scratch-path $(EXAMPLES)
	swift test --skip-build --package-path docs/Examples/Counter --scratch-path $(EXAMPLES)

docs: ## Check the documentation of the core and build it into .build/docs
	@Scripts/document

lint: ## Check the formatting and the words
	swift format lint --strict --recursive $(SOURCES)
	@Scripts/words --self-test && Scripts/words

format: ## Fix the formatting
	swift format --in-place --recursive $(SOURCES)

bench: bench-core bench-account ## Measure the core, a large account, and the terminal
	swift run $(RELEASE) TerminalBench

bench-core: ## Measure the core: every case with its goal
	swift run -c release CoreBench

bench-account: release ## Measure a person with 10,000 contacts and 100,000 check-ins
	@swift build $(RELEASE) --product AccountBench
	@$(SHIPPED)/release/AccountBench $(SHIPPED)/release/lifesignal
	@$(SHIPPED)/release/AccountBench $(SHIPPED)/release/lifesignal $(SHIPPED)/release/lifesignal-server

bench-terminal: ## Measure the terminal on the common workload, beside a floor and ncurses
	@Scripts/setup --bench
	@mkdir -p .build/peers
	cc -O2 -o .build/peers/floor Sources/Tools/Peers/floor.c
	cc -O2 -o .build/peers/ncurses Sources/Tools/Peers/ncurses.c -lncursesw
	swift build $(RELEASE) --product TerminalBench
	swift build $(RELEASE) --product TerminalDriver
	@$(SHIPPED)/release/TerminalDriver floor=.build/peers/floor ncurses=.build/peers/ncurses \
	  lifesignal=$(SHIPPED)/release/TerminalBench

bench-monitor: ## Measure the monitor with up to a million people, in FOLDER
	@Scripts/setup
	swift build -c release --product MonitorBench
	@.build/release/MonitorBench $(FOLDER)

bench-server: ## Measure a server over PostgreSQL (STORE=sqlite: over SQLite); ends with one line of JSON
	@Scripts/setup
	swift build $(RELEASE) --product ServerBench
	@$(SHIPPED)/release/ServerBench $(STORE) $(ACCOUNTS)

man: build ## Write docs/lifesignal.1 from the declarations of the commands
	@.build/debug/lifesignal help --man > docs/lifesignal.1

pictures: build ## Draw the pictures of the main screens from the demo
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

clean: ## Remove what was built
	swift package clean

help: ## Show these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile
