import Foundation
import TestSupport
import Testing

@Suite("Imports between modules")
struct ImportTests {
    @Test("Source files import only allowed modules")
    func sources() async throws {
        let files = try SourceTree.swiftFiles(below: "Sources")
        #expect(files.count > 100)
        let violations = await onThread { files.flatMap(ImportRules.package.violations) }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test("Every folder of Sources is in the table of modules")
    func table() throws {
        let folders = try SourceTree.folders(in: "Sources")
        #expect(folders.contains("AviaryDomain"))
        #expect(folders.filter { ImportRules.package.allowed(for: $0) == nil } == [])
    }

    @Test("The manifest gives targets only allowed dependencies")
    func manifest() throws {
        let targets = ImportRules.dependencies(in: try SourceTree.text(of: "Package.swift"))
        for target in try SourceTree.folders(in: "Sources") where !target.hasPrefix("C") {
            let allowed = try #require(ImportRules.package.allowed(for: target))
            #expect(try #require(targets[target], "\(target)").subtracting(allowed) == [], "\(target)")
        }
    }

    @Test("The manifest parser finds targets of the package, but no products")
    func dependencies() {
        let found = ImportRules.dependencies(
            in: """
                .target(name: "A"), .target(name: "B", dependencies: ["A"], swiftSettings: strict),
                .executableTarget(
                    name: "C",
                    dependencies: [
                        "A", "B",
                        .product(name: "D", package: "e"),
                    ],
                )
                """)
        #expect(found == ["A": [], "B": ["A"], "C": ["A", "B"]])
    }

    @Test("Only test targets depend on the testing library, which imports no test framework")
    func testingLibrary() throws {
        let library = "AviaryTesting"
        let targets = try SourceTree.text(of: "Package.swift").components(separatedBy: "\n        .")
            .filter { $0.hasPrefix("target(") || $0.hasPrefix("executableTarget(") }
        #expect(targets.count > 20)
        let linking = targets.filter { $0.contains("\"\(library)\"") }
        #expect(linking.count == 1 && linking.allSatisfy { $0.contains("name: \"\(library)\"") }, "\(linking)")
        let imports = try SourceTree.swiftFiles(below: "Sources/\(library)").flatMap { $0.imports.map(\.module) }
        #expect(imports.contains("AviaryAdmin"))
        #expect(Set(imports).isDisjoint(with: ["Testing", "XCTest", "TestSupport"]))
    }

    @Test("The public files import no module")
    func publicFolder() throws {
        #expect(try SourceTree.swiftFiles(below: "Public").flatMap { $0.imports.map(\.module) } == [])
    }

    @Test(
        "The scanner finds a forbidden import",
        arguments: [
            ("Sources/AviaryDomain/A.swift", "import AviaryDesign"),
            ("Sources/AviaryDomain/A.swift", "package import CSQLite"),
            ("Sources/AviaryDomain/A.swift", "import NIOCore"),
            ("Sources/BrowseFeature/List/A.swift", "import EditorFeature"),
            ("Sources/BrowseFeature/A.swift", "@testable import AviaryData"),
            ("Sources/EditorFeature/A.swift", "import AviaryAdmin"),
            ("Sources/EditorFeature/A.swift", "import struct Hummingbird.Request"),
            ("Sources/EditorFeature/A.swift", "import HTTPTypes"),
            ("Sources/AviaryData/Store/A.swift", "public import AviaryDesign"),
            ("Sources/AviaryData/A.swift", "import BrowseFeature"),
            ("Sources/AviaryData/A.swift", "import AviaryAdmin"),
            ("Sources/AviaryDesign/A.swift", "import AviaryDomain"),
            ("Sources/AviaryDesign/A.swift", "#if os(Linux)\n    @preconcurrency import AviaryDomain\n#endif"),
            ("Sources/AviaryAdmin/Routes/A.swift", "import AviaryData"),
            ("Sources/AviaryAdmin/Routes/DependencyContainer.swift", "import AviaryData"),
            ("Sources/AviaryAdmin/DependencyContainer+health.swift", "import AviaryData"),
            ("Sources/AviaryAdmin/A.swift", "import Zoo"),
            ("Sources/AviaryAdmin/A.swift", "import AviaryCommands"),
            ("Sources/AviaryCommands/A.swift", "import AviaryData"),
            ("Sources/AviaryCommands/A.swift", "import AviaryDesign"),
            ("Sources/AviaryCommands/A.swift", "import Hummingbird"),
            ("Sources/AviaryCommands/Container/A.swift", "import NIOCore"),
            ("Sources/AviaryHTTP/A.swift", "import AviaryDomain"),
            ("Sources/AviaryHTTP/Uploads/A.swift", "package import AviaryIPC"),
            ("Sources/AviaryHTTP/A.swift", "import AviaryAdmin"),
            ("Sources/AviaryAdmin/A.swift", "public import AviaryLoad"),
            ("Sources/AviaryCommands/A.swift", "import AviaryLoad"),
            ("Sources/Aviary/A.swift", "@_exported public import AviaryLoadTest"),
            ("Sources/AviaryLoad/A.swift", "import AviaryDomain"),
            ("Sources/AviaryRuntime/A.swift", "import AviaryDomain"),
            ("Sources/AviaryIPC/A.swift", "import AviaryData"),
            ("Sources/AviaryMacros/A.swift", "import AviaryDomain"),
            ("Sources/AviaryNew/A.swift", ""),
            ("Sources/Zoo/A.swift", "import AviaryTesting"),
            ("Sources/Aviary/A.swift", "@_exported public import AviaryTesting"),
            ("Sources/AviaryTesting/A.swift", "import AviaryData"),
            ("Sources/Aviary/A.swift", "import Foundation; import AviaryData"),
        ])
    func planted(path: String, text: String) {
        #expect(ImportRules.package.violations(in: SourceFile(path: path, text: text)).count == 1)
    }

    @Test(
        "The scanner accepts an allowed import",
        arguments: [
            ("Sources/AviaryAdmin/Container/DependencyContainer.swift", "import AviaryData"),
            ("Sources/AviaryAdmin/Container/InProcessStore.swift", "import AviaryData"),
            ("Sources/BrowseFeature/A.swift", "package import AviaryDesign\nimport AviaryDomain\nimport Foundation"),
            ("Sources/AviaryData/A.swift", "import CSQLite\nimport Crypto"),
            ("Sources/AviaryHTTP/A.swift", "import AviaryRuntime\npackage import Hummingbird\nimport NIOCore"),
            ("Sources/Zoo/A.swift", "import Aviary"),
            ("Sources/AviaryDomain/A.swift", "// import AviaryDesign\nlet important = 1"),
        ])
    func allowed(path: String, text: String) {
        #expect(ImportRules.package.violations(in: SourceFile(path: path, text: text)).isEmpty)
    }
}
