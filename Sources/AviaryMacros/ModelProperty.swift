import SwiftSyntax

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
