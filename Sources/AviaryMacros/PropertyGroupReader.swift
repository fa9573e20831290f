import SwiftDiagnostics
import SwiftSyntax

/// A reader of `#Unique` and `#Index` in a struct, which collects their lists and problems.
struct PropertyGroupReader {
    let model: TokenSyntax
    let properties: [ModelProperty]
    private(set) var groups: [PropertyGroup] = []
    private(set) var diagnostics: [Diagnostic] = []

    init(model: TokenSyntax, properties: [ModelProperty]) {
        self.model = model
        self.properties = properties
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
        guard let keyPath = expression.as(KeyPathExprSyntax.self), keyPath.components.count == 1,
            let component = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
        else { return nil }
        let name = component.declName.baseName.identifier?.name
        return properties.first { $0.name == name && !$0.isToMany && !$0.isIdentity }
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
