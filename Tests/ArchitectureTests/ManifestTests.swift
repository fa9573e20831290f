import SwiftParser
import SwiftSyntax
import Testing

/// The targets that a package's manifest declares, with the targets and products that they depend on.
struct PackageManifest {
    struct Target: Hashable {
        let name: String
        /// The function that declares it, such as `executableTarget`.
        let kind: String
        let dependencies: Set<String>
    }

    private(set) var targets: [String: Target] = [:]

    init(text: String) {
        let reader = TargetReader(viewMode: .sourceAccurate)
        reader.walk(Parser.parse(source: text))
        for target in reader.targets { targets[target.name] = target }
    }

    /// Returns all that a target links: its dependencies, theirs, and so on.
    func linked(by name: String) -> Set<String> {
        var found: Set<String> = []
        var next = [name]
        while let name = next.popLast() {
            next += (targets[name]?.dependencies ?? []).filter { found.insert($0).inserted }
        }
        return found
    }

    /// Returns the programs that link the load harness without a dependency of their own on `AviaryLoadTest`.
    var programsWithUnwantedHarness: [String] {
        targets.values.filter { target in
            target.kind == "executableTarget" && !target.dependencies.contains("AviaryLoadTest")
                && !linked(by: target.name).isDisjoint(with: Self.harness)
        }.map(\.name).sorted()
    }

    /// The targets and the product that only load tests need.
    static let harness: Set<String> = ["AviaryLoad", "AviaryLoadTest", "Histogram"]
}

/// A visitor that collects calls such as `.target(name:dependencies:)`.
private final class TargetReader: SyntaxVisitor {
    private(set) var targets: [PackageManifest.Target] = []

    private static let kinds: Set<String> = ["target", "executableTarget", "testTarget", "macro", "systemLibrary"]

    override func visit(_ call: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard let kind = call.calledExpression.as(MemberAccessExprSyntax.self), kind.base == nil,
            Self.kinds.contains(kind.declName.baseName.text), let name = Self.text(of: "name", in: call)
        else { return .visitChildren }
        let dependencies = call.arguments.first { $0.label?.text == "dependencies" }?.expression
        targets.append(
            PackageManifest.Target(
                name: name, kind: kind.declName.baseName.text,
                dependencies: Set(
                    dependencies?.as(ArrayExprSyntax.self)?.elements.compactMap { Self.name(of: $0.expression) } ?? [])
            ))
        return .skipChildren
    }

    /// Returns the name of a dependency: a text, or a call such as `.product(name:package:)`.
    private static func name(of dependency: ExprSyntax) -> String? {
        dependency.as(StringLiteralExprSyntax.self)?.representedLiteralValue
            ?? dependency.as(FunctionCallExprSyntax.self).flatMap { text(of: "name", in: $0) }
    }

    private static func text(of label: String, in call: FunctionCallExprSyntax) -> String? {
        call.arguments.first { $0.label?.text == label }?.expression.as(StringLiteralExprSyntax.self)?
            .representedLiteralValue
    }
}

@Suite("Dependencies of applications")
struct ManifestTests {
    @Test("Only an application that depends on AviaryLoadTest links the load harness")
    func harness() throws {
        let manifest = PackageManifest(text: try SourceTree.text(of: "Package.swift"))
        #expect(manifest.linked(by: "Aviary").contains("AviaryDomain"))
        #expect(manifest.linked(by: "Aviary").isDisjoint(with: PackageManifest.harness))
        for program in ["Feeder", "GrownZoo", "Library"] {
            #expect(manifest.targets[program]?.kind == "executableTarget")
            #expect(manifest.linked(by: program).isDisjoint(with: PackageManifest.harness), "\(program)")
        }
        #expect(manifest.linked(by: "Zoo").isSuperset(of: PackageManifest.harness))
        #expect(manifest.programsWithUnwantedHarness == [])
    }

    @Test("An application that links the load harness indirectly is found")
    func planted() {
        let manifest = PackageManifest(
            text: """
                let package = Package(name: "P", targets: [
                    .target(name: "AviaryLoad", dependencies: [.product(name: "Histogram", package: "histogram")]),
                    .target(name: "Aviary", dependencies: ["AviaryLoad"]),
                    .target(name: "AviaryLoadTest", dependencies: ["Aviary"]),
                    .executableTarget(name: "Hidden", dependencies: ["Aviary"]),
                    .executableTarget(name: "Asking", dependencies: ["Aviary", .target(name: "AviaryLoadTest")]),
                    .executableTarget(name: "Bare"),
                    .testTarget(name: "Tests", dependencies: ["AviaryLoad"]),
                ])
                """)
        #expect(manifest.targets.count == 7)
        #expect(manifest.linked(by: "Hidden") == ["Aviary", "AviaryLoad", "Histogram"])
        #expect(manifest.programsWithUnwantedHarness == ["Hidden"])
    }
}
