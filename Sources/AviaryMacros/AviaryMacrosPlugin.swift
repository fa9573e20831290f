import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct AviaryMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        ModelMacro.self, AttributeMacro.self, RelationshipMacro.self, TransientMacro.self, PropertyGroupMacro.self,
        EmbeddedMacro.self,
    ]
}
