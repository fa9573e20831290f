import SwiftDiagnostics
package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@Embedded`: writes which property of a struct has which key in its JSON, and the conformance.
package struct EmbeddedMacro: MemberMacro, ExtensionMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        switch EmbeddedDeclaration.read(declaration) {
        case .success(let embedded): return [embedded.table]
        case .failure(let problem):
            let fixIts = declaration.as(ClassDeclSyntax.self).map { [FixIt.useStruct(for: $0)] } ?? []
            context.diagnose(Diagnostic(node: node, message: problem, fixIts: fixIts))
            return []
        }
    }

    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // What is wrong with the declaration is said once, where the members are written.
        guard case .success = EmbeddedDeclaration.read(declaration) else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): Aviary.Embedded {}")]
    }
}
