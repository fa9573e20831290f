import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// A reader of the enums that a model declares. A macro sees no other enum.
struct EnumReader {
    let declarations: [StoredEnum]

    init(_ members: MemberBlockItemListSyntax) {
        declarations = members.compactMap { $0.decl.as(EnumDeclSyntax.self).map(StoredEnum.init) }
    }

    /// Returns the enum of which an initial value is a case, such as `Kind` for `Kind.other`; nil for another value.
    func type(of value: ExprSyntax) -> TypeSyntax? {
        guard let access = value.as(MemberAccessExprSyntax.self),
            let base = access.base?.as(DeclReferenceExprSyntax.self)?.baseName.text,
            let declaration = declarations.first(where: { $0.name == base }),
            declaration.hasCase(named: access.declName.baseName.identifier?.name)
        else { return nil }
        return "\(raw: base)"
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

    func hasCase(named name: String?) -> Bool {
        declaration.memberBlock.members.contains { member in
            member.decl.as(EnumCaseDeclSyntax.self)?.elements.contains { $0.name.identifier?.name == name } ?? false
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

/// A reader of `#Unique` and `#Index` in a struct, which collects their lists and problems.
struct PropertyGroupReader {
    let model: TokenSyntax
    let properties: [ModelProperty]
    /// The names of properties that were left out because of an error of their own.
    private let leftOut: Set<String>
    private(set) var groups: [PropertyGroup] = []
    private(set) var diagnostics: [Diagnostic] = []

    init(model: TokenSyntax, properties: [ModelProperty], leftOut: Set<String>) {
        self.model = model
        self.properties = properties
        self.leftOut = leftOut
    }

    mutating func read(_ member: DeclSyntax) {
        guard let macro = member.as(MacroExpansionDeclSyntax.self),
            let kind = PropertyGroup.Kind(rawValue: macro.macroName.text)
        else { return }
        if let other = macro.genericArgumentClause?.arguments.first, !isModel(other) {
            diagnostics.append(
                ModelProblem.groupOfOtherModel(kind.rawValue, model.text).diagnostic(
                    at: other, fixIts: [.replace(other, with: model.text)]))
            return
        }
        if macro.arguments.isEmpty {
            diagnostics.append(ModelProblem.emptyGroup(kind.rawValue).diagnostic(at: macro))
        }
        for argument in macro.arguments {
            read(argument.expression, kind)
        }
    }

    private mutating func read(_ list: ExprSyntax, _ kind: PropertyGroup.Kind) {
        guard let elements = list.as(ArrayExprSyntax.self)?.elements, !elements.isEmpty else {
            diagnostics.append(ModelProblem.emptyGroup(kind.rawValue).diagnostic(at: list))
            return
        }
        var found: [ModelProperty] = []
        for element in elements {
            guard let property = property(element.expression) else {
                guard !leftOut.contains(name(in: element.expression) ?? "") else { continue }
                diagnostics.append(
                    ModelProblem.unknownGroupProperty(
                        element.expression.trimmedDescription, kind.rawValue, model: model.text
                    ).diagnostic(at: element.expression))
                continue
            }
            if found.contains(where: { $0.name == property.name }) {
                diagnostics.append(
                    ModelProblem.repeatedGroupProperty(property.name, kind.rawValue).diagnostic(at: element.expression))
                continue
            }
            found.append(property)
        }
        if found.count == elements.count { groups.append(PropertyGroup(kind: kind, properties: found)) }
    }

    private func property(_ expression: ExprSyntax) -> ModelProperty? {
        guard let name = name(in: expression) else { return nil }
        return properties.first { $0.name == name && !$0.isToMany && !$0.isIdentity }
    }

    /// Returns the name of the property to which a key path leads directly; nil for another expression.
    private func name(in expression: ExprSyntax) -> String? {
        guard let keyPath = expression.as(KeyPathExprSyntax.self), keyPath.components.count == 1 else { return nil }
        let component = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
        return component?.declName.baseName.identifier?.name
    }

    private func isModel(_ argument: GenericArgumentSyntax) -> Bool {
        argument.trimmedDescription == "Self" || argument.argument.as(TypeSyntax.self)?.name == model.identifier?.name
    }
}

/// A list of properties in `#Unique` or `#Index`.
struct PropertyGroup {
    enum Kind: String {
        case unique = "Unique"
        case index = "Index"
    }

    let kind: Kind
    let properties: [ModelProperty]

    /// The list as an element of the schema's argument.
    var code: String {
        "[" + properties.map { "\\Self.\($0.identifier)" }.joined(separator: ", ") + "]"
    }
}
