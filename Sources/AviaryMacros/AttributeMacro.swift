package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Attribute`: a mark that `@Model` reads; it writes nothing itself.
package struct AttributeMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}

/// `@Relationship`: a mark that `@Model` reads; it writes nothing itself.
package struct RelationshipMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}

/// `@Transient`: a mark that `@Model` reads; it writes nothing itself.
package struct TransientMacro: PeerMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}

/// `#Unique` and `#Index`: marks that `@Model` reads; they write nothing themselves.
package struct PropertyGroupMacro: DeclarationMacro {
    package static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let structure = context.lexicalContext.first?.as(StructDeclSyntax.self)
        if structure?.attributes.contains(where: { $0.as(AttributeSyntax.self)?.attributeName.name == "Model" }) != true
        {
            // Nobody would read it there.
            context.diagnose(ModelProblem.groupOutsideModel(node.macroName.text).diagnostic(at: node))
        }
        return []
    }
}
