package import SwiftSyntax
package import SwiftSyntaxMacros

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
