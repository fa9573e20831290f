package import SwiftSyntax
package import SwiftSyntaxMacros

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
