# The two commands that matter: `make demo` and `make test`. Each installs what it needs.
.PHONY: demo build release test check lint test-build test-unit test-postgresql test-faults test-processes test-database test-browser test-deploy test-cluster \
	explore test-security bench bench-quick bench-build clean

SWIFT_BUILD = swift build --explicit-target-dependency-import-check error
PORT ?= 8080

demo: build
	.build/debug/zoo serve --in-process --demo --port $(PORT)

build:
	scripts/install-build-dependencies
	$(SWIFT_BUILD) --product zoo

release:
	scripts/install-build-dependencies
	$(SWIFT_BUILD) -c release --product zoo

# Everything that must pass before a change lands, with a table of its parts at the end. It is the same in every run: fixed
# seeds, and no bound on time but one that only a test that fails reaches.
test:
	scripts/test

# After a change: format, lint, unit tests.
check:
	scripts/test lint build unit

lint:
	scripts/lint

# One part alone.
test-build:
	scripts/test build

test-unit test-postgresql test-faults test-processes test-database test-browser test-deploy: test-%:
	scripts/test build $*

# PostgreSQL on three hosts with Patroni, etcd and HAProxy, and two hosts that serve the zoo, in network namespaces, while hosts are
# killed, paused and cut off. Needs root, and about an hour. It is not a part of `make test`.
test-cluster: build
	$(SWIFT_BUILD) --product LyingZoo
	scripts/test-cluster

# What differs from run to run: new seeds, whole sweeps, storms and endurance, until the time is used up; and, once, packages that
# depend on this one. Each finding is printed with the command that repeats it. `make explore MINUTES=60`,
# `make explore PARTS="faults processes"`, `make explore PARTS=packages`.
MINUTES ?= 30
explore:
	scripts/explore --minutes $(MINUTES) $(PARTS)

# sqlmap and wapiti against the zoo: minutes, so apart from `make test`. The report is in .build/security/report.
# A release build, of which they can ask more in the same time.
test-security: release
	ZOO=.build/release/zoo scripts/test-security

# Every figure of docs/benchmarks.md beside its peers, in one run that writes the page: an hour and a half on a machine that does
# nothing else. `make bench-quick` does all of it in small, to see that it works, and leaves the page alone.
bench: bench-build
	scripts/benchmark

bench-quick: bench-build
	scripts/benchmark --quick

bench-build: release
	$(SWIFT_BUILD) -c release --product StoreBenchmark
	$(SWIFT_BUILD) -c release --product Hello

clean:
	rm -rf .build
