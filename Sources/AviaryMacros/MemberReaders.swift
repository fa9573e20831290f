import SwiftDiagnostics
import SwiftSyntax

/// A reader of the enums that a model declares. A macro sees no other enum.
struct EnumReader {
    let declarations: [StoredEnum]

    init(_ members: MemberBlockItemListSyntax) {
        declarations = members.compactMap { $0.decl.as(EnumDeclSyntax.self).map(StoredEnum.init) }
    }
}

/// An enum inside a model, whose values a property may store.
struct StoredEnum {
    private let declaration: EnumDeclSyntax

    init(_ declaration: EnumDeclSyntax) {
        self.declaration = declaration
    }

    var name: String { declaration.name.trimmedDescription }

    /// Indicates whether the enum could be a choice and is none, as far as its declaration tells.
    ///
    /// It is false when a case has associated values, and when the enum conforms to a protocol that only the compiler
    /// knows, because that protocol may be a refinement of `Choice`.
    var isMistaken: Bool {
        inherited.allSatisfy { Self.knownNames.contains($0) } && declaration.genericParameterClause == nil
            && declaration.memberBlock.members.allSatisfy { member in
                member.decl.as(EnumCaseDeclSyntax.self)?.elements.allSatisfy { $0.parameterClause == nil } ?? true
            }
    }

    var diagnostic: Diagnostic {
        let text = "enum \(name): \(repairedNames.joined(separator: ", "))"
        return ModelProblem.enumWithoutChoice(declaration.name.text, replacement: text)
            .diagnostic(at: declaration.name, fixIts: [.inherit(repairedNames, in: declaration)])
    }

    private var inherited: [String] {
        declaration.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    }

    /// The names in the repaired clause: the raw type, `Choice`, and the protocols that `Choice` does not imply.
    private var repairedNames: [String] {
        let rawType = inherited.first { Self.rawTypes.contains($0) } ?? "String"
        return [rawType, "Choice"]
            + inherited.filter { !Self.rawTypes.contains($0) && !Self.impliedNames.contains($0) }
    }

    private static let rawTypes: Set<String> = ["String", "Int"]
    private static let impliedNames: Set<String> = [
        "Codable", "Encodable", "Decodable", "CaseIterable", "Hashable", "Equatable", "Sendable", "RawRepresentable",
    ]
    private static let knownNames = rawTypes.union(impliedNames).union([
        "Comparable", "Identifiable", "CustomStringConvertible",
    ])
}

/// A reader of the initializers that a model declares.
struct InitializerReader {
    private(set) var diagnostics: [Diagnostic] = []

    /// Finds the to-many relations without an initial value that a declared initializer does not set. The generated
    /// initializer, which would set them, does not exist then.
    init(_ members: MemberBlockItemListSyntax, properties: [ModelProperty]) {
        let bodies = members.compactMap { $0.decl.as(InitializerDeclSyntax.self)?.body }
        guard !bodies.isEmpty else { return }
        for member in members {
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
            for binding in variable.bindings where binding.initializer == nil {
                guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
                    let property = properties.first(where: { $0.name == identifier.identifier?.name }),
                    property.isToMany, !property.isRefused,
                    bodies.contains(where: { !$0.delegates && !$0.names(property.name) })
                else { continue }
                let fixIts = binding.typeAnnotation == nil ? [] : [FixIt.setValue("Related()", of: binding)]
                diagnostics.append(
                    ModelProblem.relationWithoutValue(property.name).diagnostic(at: binding, fixIts: fixIts))
            }
        }
    }
}

extension CodeBlockSyntax {
    /// Indicates whether the initializer calls another one of the struct.
    fileprivate var delegates: Bool {
        tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.`init`) }
    }

    fileprivate func names(_ property: String) -> Bool {
        tokens(viewMode: .sourceAccurate).contains { $0.identifier?.name == property }
    }
}
