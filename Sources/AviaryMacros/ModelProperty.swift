import SwiftSyntax
import SwiftSyntaxBuilder

/// A stored property of a model as it appears in the source.
struct ModelProperty {
    /// The name as it appears in the source, with backticks if it has them.
    let identifier: TokenSyntax
    let type: TypeSyntax
    let initialValue: ExprSyntax?
    /// The arguments of `@Attribute`.
    let options: [AttributeOptionSyntax]
    /// The arguments of `@Relationship`.
    let relationship: LabeledExprListSyntax?
    /// Indicates whether the property has a problem that the macro reports. The schema then leaves it out, so that the
    /// compiler does not report it again.
    var isRefused = false

    /// The name without backticks, which is also the name of the column.
    var name: String { identifier.identifier?.name ?? identifier.text }
    var isIdentity: Bool { name == "id" }
    var isToMany: Bool { type.relatedModel != nil }

    /// Indicates whether an `id` is one of the model itself, as far as its spelling tells.
    var isOwnIdentity: Bool {
        guard type.name == "RecordID" || type.name == "ID" else { return false }
        guard let constructed = initialValue?.constructedType?.split(separator: ".").last else { return true }
        return ["RecordID", "ID"].contains(constructed.prefix { $0 != "<" })
    }
}

extension ModelProperty {
    /// The `id` of a model that does not declare one.
    static var addedIdentity: ModelProperty {
        ModelProperty(
            identifier: "id", type: "Aviary.RecordID<Self>", initialValue: nil, options: [], relationship: nil
        )
    }

    /// The parameter of the memberwise initializer; nil for a to-many relation, which has no value of its own.
    var parameter: String? {
        guard !isToMany else { return nil }
        return "\(identifier): \(type)" + (defaultArgument.map { " = \($0)" } ?? "")
    }

    /// The assignment in the memberwise initializer.
    var assignment: String {
        let value = isToMany ? "Aviary.Related()" : identifier.text
        return "    self.\(identifier) = \(value)"
    }

    /// The definition of the property in the schema.
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
