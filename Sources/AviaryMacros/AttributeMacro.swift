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
