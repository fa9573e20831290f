package import SwiftSyntax
package import SwiftSyntaxMacros

/// The marker `@Attribute`, which `@Model` reads. It generates no code.
package struct AttributeMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}

/// The marker `@Relationship`, which `@Model` reads. It generates no code.
package struct RelationshipMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}

/// The marker `@Transient`, which `@Model` reads. It generates no code.
package struct TransientMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}

/// The markers `#Unique` and `#Index`, which `@Model` reads. They generate no code.
package struct PropertyGroupMacro: DeclarationMacro {
    package static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let structure = context.lexicalContext.first?.as(StructDeclSyntax.self)
        if structure?.attributes.contains(where: { $0.as(AttributeSyntax.self)?.attributeName.name == "Model" }) != true
        {
            // No macro reads the marker there, so it would have no effect.
            context.diagnose(ModelProblem.groupOutsideModel(node.macroName.text).diagnostic(at: node))
        }
        return []
    }
}
