# The two commands that matter: `make demo` and `make test`. Each installs what it needs.
.PHONY: demo build release test test-build test-unit test-processes test-browser bench clean

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

test: test-unit test-processes test-browser

test-build:
	scripts/install-build-dependencies
	$(SWIFT_BUILD) --build-tests

test-unit: test-build
	swift test --skip-build --skip ProcessTests --skip AviaryLoadTests --skip SnapshotKillTests

# Whole families of processes under load and under kills: after the others, so that each has the machine to itself.
test-processes: test-build
	swift test --skip-build --filter SnapshotKillTests
	swift test --skip-build --filter AviaryLoadTests
	swift test --skip-build --filter ProcessTests

test-browser: build
	scripts/install-browser-dependencies
	.build/browser/bin/pytest Tests/Browser

bench: release
	scripts/benchmark

clean:
	rm -rf .build
