# The two commands that matter: `make demo` and `make test`. Each installs what it needs.
.PHONY: demo build release test test-build test-unit test-faults-fast test-faults test-processes test-endurance test-chaos test-browser test-deploy test-security bench bench-quick bench-build clean

SWIFT_BUILD = swift build --explicit-target-dependency-import-check error
PORT ?= 8080
# All at once the tests would hold two thousand open files, with which Foundation's Process can crash, and none would be quicker.
WIDTH = --experimental-maximum-parallelization-width 8

demo: build
	.build/debug/zoo serve --in-process --demo --port $(PORT)

build:
	scripts/install-build-dependencies
	$(SWIFT_BUILD) --product zoo

release:
	scripts/install-build-dependencies
	$(SWIFT_BUILD) -c release --product zoo

test: test-unit test-faults-fast test-processes test-browser test-deploy

test-build:
	scripts/install-build-dependencies
	$(SWIFT_BUILD) --build-tests

test-unit: test-build
	swift test --skip-build $(WIDTH) --skip FaultTests --skip ProcessTests --skip AviaryLoadTests --skip SnapshotKillTests

# A sample of what may happen to the store's disk and process. AVIARY_SEED=N repeats a run, which prints its N.
test-faults-fast: test-build
	swift test --skip-build $(WIDTH) --filter FaultTests

# The whole sweeps: minutes.
test-faults: test-build
	AVIARY_FAULTS=all swift test --skip-build $(WIDTH) --filter FaultTests

# Whole families of processes under load and under kills: after the others, so that each has the machine to itself.
test-processes: test-build
	swift test --skip-build --filter SnapshotKillTests
	swift test --skip-build --filter AviaryLoadTests
	swift test --skip-build --filter ProcessTests

# The long runs of the same tests: 20 rolling restarts under 200,000 requests, deploys and storms of signals, and ten
# minutes of load that must not cost memory. AVIARY_SEED=N repeats a storm, AVIARY_MEMORY_SECONDS=N shortens the load.
test-endurance: test-build
	AVIARY_ENDURANCE=1 swift test --skip-build --filter ProcessTests

# A minute of load with a kill every two seconds, ten times: nothing that was acknowledged may be missing, doubled, back or left over.
test-chaos: test-build
	AVIARY_ENDURANCE=1 swift test --skip-build --filter ProcessTests.ServerProcesses/LoadTestTests

test-browser: build
	$(SWIFT_BUILD) --product Library
	scripts/install-browser-dependencies
	.build/browser/bin/pytest Tests/Browser -n 2 --dist loadfile
	.build/browser/bin/pytest Tests/Benchmarks

# What lies in deploy/: nginx and Caddy are really started, the units are checked by systemd's own tools.
test-deploy: test-build
	scripts/install-browser-dependencies
	scripts/install-deploy-dependencies
	.build/browser/bin/pytest Tests/Deploy

# sqlmap and wapiti against the zoo: minutes, so apart from `make test`. The report is in .build/security/report.
# A release build, of which they can ask more in the same time.
test-security: release
	ZOO=.build/release/zoo scripts/test-security

# Every figure of docs/benchmarks.md beside its peers, in one run that writes the page: about an hour on a machine that does
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
