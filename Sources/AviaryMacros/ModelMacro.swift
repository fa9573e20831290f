import SwiftDiagnostics
package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@Model`: writes the members that the protocol `Model` asks for, and the conformance.
package struct ModelMacro: MemberMacro, ExtensionMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if let problem = ModelDeclaration.problem(with: declaration) {
            let fixIts = declaration.as(ClassDeclSyntax.self).map { [FixIt.useStruct(for: $0)] } ?? []
            context.diagnose(problem.diagnostic(at: node, fixIts: fixIts))
        }
        guard let model = ModelDeclaration(declaration) else { return [] }
        for diagnostic in model.diagnostics {
            context.diagnose(diagnostic)
        }
        return model.members
    }

    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // What is wrong with the declaration is said once, where the members are written.
        guard ModelDeclaration(declaration) != nil else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): Aviary.Model {}")]
    }
}
