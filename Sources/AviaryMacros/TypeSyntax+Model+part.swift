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

    /// The type without `?` and `Optional`.
    var unwrapped: TypeSyntax {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType }
        guard name == "Optional", let wrapped = genericArguments?.arguments.first?.argument.as(TypeSyntax.self)
        else { return self }
        return wrapped
    }

    /// The last name of a possibly qualified type, without generic arguments.
    var name: String? {
        self.as(IdentifierTypeSyntax.self)?.name.identifier?.name
            ?? self.as(MemberTypeSyntax.self)?.name.identifier?.name
    }

    var genericArguments: GenericArgumentClauseSyntax? {
        self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
            ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    }
}
