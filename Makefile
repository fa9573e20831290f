# The two commands that matter: `make demo` and `make test`. Each installs what it needs.
.PHONY: demo build release test test-unit test-browser bench clean

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

test: test-unit test-browser

test-unit:
	scripts/install-build-dependencies
	$(SWIFT_BUILD) --build-tests
	swift test --skip-build

test-browser: build
	scripts/install-browser-dependencies
	.build/browser/bin/pytest Tests/Browser

bench: release
	scripts/benchmark

clean:
	rm -rf .build
