import SwiftSyntax

extension TypeSyntax {
    /// `Animal` in `Related<Animal>` and `Aviary.Related<Animal>`; nil for any other type.
    var relatedModel: String? {
        guard name == "Related", let argument = genericArguments?.arguments.first else { return nil }
        return argument.argument.trimmedDescription
    }

    /// Whether nil is a value of the type, as far as it is spelled out.
    var isOptional: Bool {
        self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) || name == "Optional"
    }

    /// The last name of a possibly qualified type, without generic arguments.
    var name: String? {
        self.as(IdentifierTypeSyntax.self)?.name.identifier?.name
            ?? self.as(MemberTypeSyntax.self)?.name.identifier?.name
    }

    private var genericArguments: GenericArgumentClauseSyntax? {
        self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
            ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    }
}
