// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Aviary",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Aviary", targets: ["Aviary"]),
        .library(name: "AviaryLoadTest", targets: ["AviaryLoadTest"]),
        .library(name: "AviaryTesting", targets: ["AviaryTesting"]),
        .executable(name: "zoo", targets: ["Zoo"]),
    ],
    dependencies: [
        // HTTP/1.1 on NIO with a router; small, and its channel can be put on a socket that we bound ourselves.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        // Event loops and channels under Hummingbird; named because we bind and drain the listening socket.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        // Between HTTP's own types and NIO's.
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
        // The Swift server community's types for headers and methods, shared with Hummingbird.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // Ordered start, signals and graceful shutdown of the parts of a process.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // The logging interface that every Swift server library shares.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        // The metrics interface that every Swift server library shares. The exporter is ours: others tell of their own
        // process, and any worker here has to tell the sums of all.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // AES-GCM, HKDF, HMAC, SHA-256 and scrypt: cryptography is never written by hand.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        // Commands, flags, help pages and completions.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // The compiler's own syntax tree: what a macro is written with.
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
        // Latency histograms with a known error and bounded memory: percentiles of a whole run, not of a sample.
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.1.0"),
    ],
    targets: [
        .macro(
            name: "AviaryMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ],
            swiftSettings: strict
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        // Backups are compressed by it: its quick levels take a fifth of the time of zlib's and make smaller files that any gzip reads.
        .systemLibrary(
            name: "CISAL",
            pkgConfig: "libisal",
            providers: [.apt(["libisal-dev"]), .brew(["isa-l"])]
        ),
        // libpq, the reference client of PostgreSQL: it knows every way to sign in, TLS, several hosts and failover. It is loaded
        // when a store has the address of a database, so that nobody else needs it.
        .target(name: "CPostgreSQL"),
        // What pages say, by language: the program's own sentences are English and the keys of its catalogues.
        .target(
            name: "AviaryLocalization", resources: [.embedInCode("Catalogues/de.json")], swiftSettings: strict
        ),
        .target(name: "AviaryDomain", dependencies: ["AviaryLocalization"], swiftSettings: strict),
        .target(
            name: "AviaryData",
            dependencies: [
                "AviaryDomain", "CISAL", "CPostgreSQL", "CSQLite", "CZlib",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict
        ),
        // The style sheet and scripts, embedded so that a binary is one file wherever it runs.
        .target(
            name: "AviaryPublic",
            path: "Public",
            resources: [
                .embedInCode("css/aviary.css"),
                .embedInCode("css/activity.css"),
                .embedInCode("css/lists.css"),
                .embedInCode("css/sheets.css"),
                .embedInCode("js/answer.js"),
                .embedInCode("js/aviary.js"),
                .embedInCode("js/batch.js"),
                .embedInCode("js/client-validation.js"),
                .embedInCode("js/deletion.js"),
                .embedInCode("js/drafts.js"),
                .embedInCode("js/focus.js"),
                .embedInCode("js/keys.js"),
                .embedInCode("js/pending-draft.js"),
                .embedInCode("js/pickers.js"),
                .embedInCode("js/question.js"),
                .embedInCode("js/rows.js"),
                .embedInCode("js/saving.js"),
                .embedInCode("js/selection.js"),
                .embedInCode("js/sheet.js"),
                .embedInCode("js/swipe.js"),
                .embedInCode("js/toast.js"),
                .embedInCode("js/text.js"),
                .embedInCode("js/zones.js"),
                .embedInCode("icons/favicon.svg"),
            ],
            swiftSettings: strict
        ),
        .target(name: "AviaryDesign", dependencies: ["AviaryLocalization"], swiftSettings: strict),
        .target(
            name: "BrowseFeature", dependencies: ["AviaryLocalization", "AviaryDomain", "AviaryDesign"],
            swiftSettings: strict),
        .target(
            name: "EditorFeature", dependencies: ["AviaryLocalization", "AviaryDomain", "AviaryDesign"],
            swiftSettings: strict),
        .target(
            name: "AccountsFeature", dependencies: ["AviaryLocalization", "AviaryDomain", "AviaryDesign"],
            swiftSettings: strict),
        .target(
            name: "BackupsFeature", dependencies: ["AviaryLocalization", "AviaryDomain", "AviaryDesign"],
            swiftSettings: strict),
        .target(
            name: "ActivityFeature", dependencies: ["AviaryLocalization", "AviaryDomain", "AviaryDesign"],
            swiftSettings: strict),
        .target(
            name: "ImportFeature", dependencies: ["AviaryLocalization", "AviaryDomain", "AviaryDesign"],
            swiftSettings: strict),
        // What Swift cannot call itself: starting a program with given descriptors, a peer's credentials.
        .target(name: "CSupport"),
        .target(
            name: "AviaryIPC",
            dependencies: [
                "AviaryDomain", "CSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AviaryRuntime",
            dependencies: [
                "CSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        // Prometheus' text for what is recorded through swift-metrics, in one process or summed over several.
        .target(
            name: "AviaryMetrics", dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: strict
        ),
        // Knows a server from outside only, as a browser does.
        .target(
            name: "AviaryLoad",
            dependencies: [
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // Connections, limits, compression, uploads and addresses. Knows no model and no page.
        .target(
            name: "AviaryHTTP",
            dependencies: [
                "CZlib", "AviaryRuntime", "AviaryMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AviaryAdmin",
            dependencies: [
                "AviaryLocalization", "AviaryDomain", "AviaryData", "AviaryPublic", "AviaryDesign", "AviaryHTTP",
                "BrowseFeature", "EditorFeature", "AccountsFeature", "ActivityFeature", "BackupsFeature",
                "ImportFeature", "AviaryIPC", "AviaryRuntime", "AviaryMetrics",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        // The command line. Knows the application, never the store or the framework behind it.
        .target(
            name: "AviaryCommands",
            dependencies: [
                "AviaryDomain", "AviaryHTTP", "AviaryAdmin", "BrowseFeature", "AviaryIPC", "AviaryRuntime",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Aviary",
            dependencies: ["AviaryLocalization", "AviaryDomain", "AviaryMacros", "AviaryAdmin", "AviaryCommands"],
            swiftSettings: strict),
        // The command `loadtest`, for the applications that ask for it. No other application links the load harness.
        .target(
            name: "AviaryLoadTest",
            dependencies: [
                "AviaryDomain", "AviaryLoad", "AviaryAdmin", "AviaryCommands",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        // A served application and a browser for the tests of applications. It knows no testing library.
        .target(
            name: "AviaryTesting",
            dependencies: [
                "AviaryDomain", "AviaryLoad", "AviaryAdmin",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .executableTarget(name: "Zoo", dependencies: ["Aviary", "AviaryLoadTest"], swiftSettings: strict),
        // The second program of docs/own-app.md, kept compiling, and run by the tests.
        .executableTarget(
            name: "Feeder", dependencies: ["Aviary"], path: "docs/examples/Feeder", swiftSettings: strict),

        // Compiles the macros' sources itself, through a symbolic link: when a test target depends on a macro, the package
        // manager builds every test and all that they need a second time, for the host.
        .testTarget(
            name: "AviaryMacrosTests",
            dependencies: [
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ],
            exclude: ["Macros/AviaryMacrosPlugin.swift"],
            swiftSettings: strict
        ),
        // Random numbers that a seed repeats and bounded waits, for tests and the programs that they run.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        // A model with a property of every type, for the tests of every layer.
        .target(
            name: "AllTypesModel", dependencies: ["AviaryDomain"], path: "Tests/AllTypesModel", swiftSettings: strict),
        .testTarget(name: "AviaryLocalizationTests", dependencies: ["AviaryLocalization"], swiftSettings: strict),
        .testTarget(
            name: "AviaryDomainTests", dependencies: ["AviaryDomain", "AllTypesModel", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AviaryDataTests",
            dependencies: ["AviaryDomain", "AviaryData", "CSQLite", "AllTypesModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AviaryMetricsTests",
            dependencies: ["AviaryMetrics", .product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AviaryIPCTests",
            dependencies: [
                "AviaryDomain", "AviaryIPC", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AviaryRuntimeTests",
            dependencies: ["AviaryRuntime", "TestSupport", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict
        ),
        // Every component in every state, which the library serves for the browser tests. No application links it.
        .target(
            name: "ComponentGallery", dependencies: ["AviaryDesign", "AviaryPublic"], path: "Tests/Gallery",
            resources: [.embedInCode("gallery.css")], swiftSettings: strict
        ),
        .testTarget(
            name: "AviaryDesignTests", dependencies: ["AviaryDesign", "ComponentGallery"], swiftSettings: strict),
        .testTarget(
            name: "BrowseFeatureTests",
            dependencies: ["AviaryDomain", "AviaryDesign", "BrowseFeature", "AllTypesModel", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EditorFeatureTests",
            dependencies: ["AviaryDomain", "AviaryDesign", "EditorFeature", "AllTypesModel"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AccountsFeatureTests",
            dependencies: ["AviaryDomain", "AviaryData", "AviaryDesign", "AccountsFeature"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ActivityFeatureTests",
            dependencies: ["AviaryDomain", "AviaryData", "AviaryDesign", "ActivityFeature", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ImportFeatureTests", dependencies: ["AviaryDomain", "AviaryData", "ImportFeature"],
            swiftSettings: strict
        ),
        // The zoo with a store that acknowledges before it commits: what the load harness must find.
        .executableTarget(
            name: "LyingZoo", dependencies: ["Aviary", "AviaryDomain", "AviaryIPC", "AviaryLoadTest", "AviaryAdmin"],
            path: "Tests/Faults/LyingZoo", swiftSettings: strict
        ),
        // The zoo with routes, commands and hooks of its own; one of its routes traps.
        .executableTarget(
            name: "ExtendedZoo",
            dependencies: [
                "Aviary", "AviaryLoadTest",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            path: "Tests/Faults/ExtendedZoo", swiftSettings: strict
        ),
        // The zoo of a later version: how much it has grown stands in the program's own file.
        .executableTarget(
            name: "GrownZoo", dependencies: ["Aviary"], path: "Tests/Faults/GrownZoo", swiftSettings: strict
        ),
        // A model set that has nothing of the zoo: every kind of field, rules across fields, relations of every shape.
        .executableTarget(
            name: "Library",
            dependencies: [
                "Aviary", "ComponentGallery", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Library", swiftSettings: strict
        ),
        // What the store alone does, beside a peer in C that `scripts/benchmark` compiles.
        .executableTarget(
            name: "StoreBenchmark",
            dependencies: [
                "AviaryDomain", "AviaryData", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Benchmarks/Store/StoreBenchmark", swiftSettings: strict
        ),
        // A line of text by the framework alone: what the admin's pages are measured beside.
        .executableTarget(
            name: "Hello", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
            path: "Tests/Benchmarks/Hello",
            swiftSettings: strict
        ),
        // Opens a store and writes to it, for tests that let its disk or its process fail.
        .executableTarget(
            name: "StoreDriver",
            dependencies: [
                "AviaryDomain", "AviaryData", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Faults/StoreDriver", swiftSettings: strict
        ),
        // Opens a store with the models of an older or of a newer program, for tests that kill it on the way.
        .executableTarget(
            name: "StoreMigrator",
            dependencies: [
                "AviaryDomain", "AviaryData", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Faults/StoreMigrator", swiftSettings: strict
        ),
        // Depends on the programs because it runs them. The library that it preloads it compiles itself.
        .testTarget(
            name: "FaultTests", dependencies: ["CSQLite", "TestSupport", "StoreDriver", "StoreMigrator"],
            swiftSettings: strict),
        // Depends on the programs because it runs them, and kills their processes.
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "Aviary", "AviaryAdmin", "AviaryDomain", "AviaryLoad", "CSQLite", "ExtendedZoo", "Feeder", "GrownZoo",
                "Library",
                "LyingZoo",
                "TestSupport", "Zoo",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // The code of docs/swiftdata.md and docs/testing-your-app.md, compiled and run as it stands there.
        .testTarget(
            name: "DocumentationTests", dependencies: ["Aviary", "AviaryTesting", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "AviaryTestingTests", dependencies: ["Aviary", "AviaryTesting"],
            swiftSettings: strict),
        // Depends on the program so that the one that is tested is never an old one.
        .testTarget(
            name: "ArchitectureTests",
            dependencies: [
                "AviaryLocalization", "TestSupport", "Zoo",
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ],
            swiftSettings: strict
        ),
        // Depends on the program because it runs it.
        .testTarget(
            name: "AviaryLoadTests",
            dependencies: [
                "AviaryLoad", "TestSupport", "Zoo",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AviaryAdminTests",
            dependencies: [
                "Aviary", "AviaryAdmin", "AviaryCommands", "AviaryDomain", "AviaryHTTP", "AviaryLoad", "AviaryMetrics",
                "AviaryRuntime", "AviaryTesting", "TestSupport", "Zoo",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
    ]
)
