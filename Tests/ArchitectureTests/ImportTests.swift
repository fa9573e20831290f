import Testing

@Suite("Modules import only what the design allows")
struct ImportTests {
    @Test("No source file imports what its module must not know")
    func sources() throws {
        let files = try SourceTree.swiftFiles(below: "Sources")
        #expect(files.count > 100)
        let violations = files.flatMap(ImportRules.package.violations)
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test("Every folder below Sources is in the table of modules")
    func table() throws {
        let folders = try SourceTree.folders(in: "Sources")
        #expect(folders.contains("AviaryDomain"))
        #expect(folders.filter { ImportRules.package.allowed(for: $0) == nil } == [])
    }

    @Test("What browsers load is no place for code of ours")
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
            ("Sources/EditorFeature/A.swift", "import AviaryServer"),
            ("Sources/EditorFeature/A.swift", "import struct Hummingbird.Request"),
            ("Sources/EditorFeature/A.swift", "import HTTPTypes"),
            ("Sources/AviaryData/Store/A.swift", "public import AviaryDesign"),
            ("Sources/AviaryData/A.swift", "import BrowseFeature"),
            ("Sources/AviaryData/A.swift", "import AviaryServer"),
            ("Sources/AviaryDesign/A.swift", "import AviaryDomain"),
            ("Sources/AviaryDesign/A.swift", "#if os(Linux)\n    @preconcurrency import AviaryDomain\n#endif"),
            ("Sources/AviaryServer/Routes/A.swift", "import AviaryData"),
            ("Sources/AviaryServer/Routes/DependencyContainer.swift", "import AviaryData"),
            ("Sources/AviaryServer/DependencyContainer+health.swift", "import AviaryData"),
            ("Sources/AviaryServer/A.swift", "import Zoo"),
            ("Sources/AviaryServer/A.swift", "public import AviaryLoad"),
            ("Sources/Aviary/A.swift", "@_exported public import AviaryLoadTest"),
            ("Sources/AviaryLoad/A.swift", "import AviaryDomain"),
            ("Sources/AviaryRuntime/A.swift", "import AviaryDomain"),
            ("Sources/AviaryIPC/A.swift", "import AviaryData"),
            ("Sources/AviaryMacros/A.swift", "import AviaryDomain"),
            ("Sources/AviaryNew/A.swift", ""),
            ("Sources/Aviary/A.swift", "import Foundation; import AviaryData"),
        ])
    func planted(path: String, text: String) {
        #expect(ImportRules.package.violations(in: SourceFile(path: path, text: text)).count == 1)
    }

    @Test(
        "The scanner passes what is allowed",
        arguments: [
            ("Sources/AviaryServer/Container/DependencyContainer.swift", "import AviaryData"),
            ("Sources/AviaryServer/Container/OwnStore.swift", "import AviaryData"),
            ("Sources/BrowseFeature/A.swift", "package import AviaryDesign\nimport AviaryDomain\nimport Foundation"),
            ("Sources/AviaryData/A.swift", "import CSQLite\nimport Crypto"),
            ("Sources/Zoo/A.swift", "import Aviary"),
            ("Sources/AviaryDomain/A.swift", "// import AviaryDesign\nlet important = 1"),
        ])
    func allowed(path: String, text: String) {
        #expect(ImportRules.package.violations(in: SourceFile(path: path, text: text)).isEmpty)
    }
}
