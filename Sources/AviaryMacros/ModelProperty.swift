import SwiftSyntax
import SwiftSyntaxBuilder

/// One stored property of a model, as it is written in the source.
struct ModelProperty {
    /// As written, with backticks where the name needs them.
    let identifier: TokenSyntax
    let type: TypeSyntax
    let initialValue: ExprSyntax?
    /// The arguments of `@Attribute`.
    let options: [AttributeOptionSyntax]
    /// The arguments of `@Relationship`.
    let relationship: LabeledExprListSyntax?

    /// Without backticks: the column's name.
    var name: String { identifier.identifier?.name ?? identifier.text }
    var isIdentity: Bool { name == "id" }
    var isToMany: Bool { type.relatedModel != nil }
}

extension ModelProperty {
    /// The `id` that a model has without declaring it.
    static var addedIdentity: ModelProperty {
        ModelProperty(
            identifier: "id", type: "Aviary.RecordID<Self>", initialValue: nil, options: [], relationship: nil
        )
    }

    /// The memberwise initializer's parameter; nil for a to-many relation, which has no value of its own.
    var parameter: String? {
        guard !isToMany else { return nil }
        return "\(identifier): \(type)" + (defaultArgument.map { " = \($0)" } ?? "")
    }

    /// The memberwise initializer's statement.
    var assignment: String {
        let value = isToMany ? "Aviary.Related()" : identifier.text
        return "    self.\(identifier) = \(value)"
    }

    /// The property as the schema declares it.
    var definition: String {
        var arguments = ["\\Self.\(identifier)", "\"\(name)\""]
        if isToMany {
            arguments.append("relationship: Aviary.RelationshipOptions(\(relationship?.trimmedDescription ?? ""))")
        } else {
            if let initialValue, !initialValue.is(NilLiteralExprSyntax.self) {
                arguments.append("default: { \(initialValue) }")
            }
            arguments.append("attributes: [\(options.map(\.code).joined(separator: ", "))]")
        }
        return "Aviary.PropertyDefinition(\(arguments.joined(separator: ", ")))"
    }

    private var defaultArgument: String? {
        if let initialValue { return initialValue.description }
        if isIdentity { return "Aviary.RecordID()" }
        return type.isOptional ? "nil" : nil
    }
}
