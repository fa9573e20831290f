import Foundation

/// The allowed imports of each target: the table of modules in `docs/architecture.md`.
struct ImportRules {
    /// The modules of the package that each target may import.
    private let allowed: [String: Set<String>]

    static let package = ImportRules(allowed: [
        "AviaryMacros": [],
        "CISAL": [], "CPostgreSQL": [], "CSQLite": [], "CZlib": [], "CSupport": [],
        "AviaryLocalization": [],
        "AviaryDomain": ["AviaryLocalization"],
        "AviaryData": ["AviaryDomain", "CISAL", "CPostgreSQL", "CSQLite", "CZlib"],
        "AviaryIPC": ["AviaryDomain", "CSupport"],
        "AviaryDesign": ["AviaryLocalization"],
        "AviaryRuntime": ["CSupport"],
        "AviaryLoad": [],
        "AviaryMetrics": [],
        "AviaryHTTP": ["AviaryMetrics", "AviaryRuntime", "CZlib"],
        "AviaryAdmin": [
            "AviaryLocalization", "AviaryDomain", "AviaryData", "AviaryIPC", "AviaryPublic", "AviaryDesign",
            "AviaryRuntime", "AviaryMetrics", "AviaryHTTP", "BrowseFeature", "EditorFeature",
            "AccountsFeature", "BackupsFeature",
            "ActivityFeature", "ImportFeature",
        ],
        "AviaryCommands": [
            "AviaryDomain", "AviaryHTTP", "AviaryAdmin", "AviaryIPC", "AviaryRuntime", "BrowseFeature",
        ],
        "Aviary": ["AviaryLocalization", "AviaryDomain", "AviaryMacros", "AviaryAdmin", "AviaryCommands"],
        "AviaryLoadTest": ["AviaryDomain", "AviaryLoad", "AviaryAdmin", "AviaryCommands"],
        "AviaryTesting": ["AviaryDomain", "AviaryLoad", "AviaryAdmin"],
        "Zoo": ["Aviary", "AviaryLoadTest"],
    ])

    func allowed(for target: String) -> Set<String>? {
        target.hasSuffix("Feature") ? ["AviaryLocalization", "AviaryDomain", "AviaryDesign"] : allowed[target]
    }

    /// Returns whether a file may import the data module. Only the files that choose the store may.
    static func mayImportData(_ file: SourceFile) -> Bool {
        file.target != "AviaryAdmin" || file.path.hasPrefix("Sources/AviaryAdmin/Container/")
    }

    func violations(in file: SourceFile) -> [Violation] {
        guard let allowed = allowed(for: file.target) else {
            return [Violation(path: file.path, line: 1, reason: "\(file.target) is not in the table of modules")]
        }
        return file.imports.compactMap { line, module in
            reason(against: module, in: file, allowed: allowed).map {
                Violation(path: file.path, line: line, reason: $0)
            }
        }
    }

    /// Returns the modules of the package on which each target of a manifest depends.
    static func dependencies(in manifest: String) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for target in manifest.matches(
            of: /\.(?:target|executableTarget|macro)\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?/)
        {
            let own = (target.2 ?? "").replacing(/\.product\([^)]*\)/, with: "")
            found[String(target.1)] = Set(own.matches(of: /"(\w+)"/).map { String($0.1) })
        }
        return found
    }

    private func reason(against module: String, in file: SourceFile, allowed: Set<String>) -> String? {
        if isOurs(module) {
            guard allowed.contains(module) else { return "\(file.target) must not import \(module)" }
            guard module != "AviaryData" || Self.mayImportData(file) else {
                return "only the folder Container/ names the store: \(file.name) must not import AviaryData"
            }
            return nil
        }
        if Self.isFarFromHTTP(file.target), Self.isHTTPFramework(module) {
            return "\(file.target) must not import the HTTP framework: \(module)"
        }
        return nil
    }

    private func isOurs(_ module: String) -> Bool {
        allowed(for: module) != nil || module.hasPrefix("Aviary")
    }

    private static func isFarFromHTTP(_ target: String) -> Bool {
        target.hasSuffix("Feature")
            || [
                "AviaryLocalization", "AviaryDomain", "AviaryData", "AviaryDesign", "AviaryMacros", "AviaryCommands",
                "Zoo",
            ].contains(target)
    }

    private static func isHTTPFramework(_ module: String) -> Bool {
        module.hasPrefix("Hummingbird") || module.hasPrefix("NIO") || module.hasPrefix("HTTPTypes")
    }
}

extension SourceFile {
    /// The modules of all `import` declarations with their line numbers, from 1, also of declarations that share a
    /// line with other code.
    var imports: [(line: Int, module: String)] {
        lines.enumerated().flatMap { index, line -> [(line: Int, module: String)] in
            guard strstr(line, "import") != nil else { return [] }
            return line.split(separator: ";").compactMap(Self.importedModule).map { (index + 1, $0) }
        }
    }

    private static func importedModule(_ statement: Substring) -> String? {
        var words = statement.split(whereSeparator: \.isWhitespace)[...]
        while let word = words.first, word.hasPrefix("@") || accessLevels.contains(String(word)) {
            words = words.dropFirst()
        }
        guard words.popFirst() == "import" else { return nil }
        if let word = words.first, importKinds.contains(String(word)) { words = words.dropFirst() }
        return words.first?.split(separator: ".").first.map(String.init)
    }

    private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    private static let importKinds: Set<String> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
    ]
}
