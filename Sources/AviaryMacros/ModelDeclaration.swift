import SwiftDiagnostics
import SwiftSyntax

/// A struct that `@Model` is attached to: what of it the generated members depend on, and what is wrong with it.
struct ModelDeclaration {
    /// `public ` or `package `, else empty.
    let access: String
    let declaresInitializer: Bool
    let properties: [ModelProperty]
    let groups: [PropertyGroup]
    let diagnostics: [Diagnostic]

    /// Nil when the declaration cannot be a model at all.
    init?(_ declaration: some DeclGroupSyntax) {
        guard Self.problem(with: declaration) == nil else { return nil }
        let modifiers = declaration.modifiers.map(\.name.text)
        access = modifiers.first { $0 == "public" || $0 == "package" }.map { $0 + " " } ?? ""
        let members = declaration.memberBlock.members
        declaresInitializer = members.contains { $0.decl.is(InitializerDeclSyntax.self) }
        var reader = ModelPropertyReader()
        for member in members {
            reader.read(member.decl)
        }
        properties = reader.properties
        var groups = PropertyGroupReader(model: declaration.modelName, properties: reader.properties)
        for member in members {
            groups.read(member.decl)
        }
        self.groups = groups.groups
        diagnostics =
            reader.diagnostics + Self.problems(among: reader.properties, of: declaration.modelName)
            + groups.diagnostics
    }

    static func problem(with declaration: some DeclGroupSyntax) -> ModelProblem? {
        guard let structure = declaration.as(StructDeclSyntax.self) else { return .notAStruct }
        return structure.genericParameterClause == nil ? nil : .genericStruct
    }
}

extension DeclGroupSyntax {
    /// Of a struct; nothing else is a model.
    fileprivate var modelName: TokenSyntax { self.as(StructDeclSyntax.self)?.name.trimmed ?? .identifier("Self") }
}
