import SwiftDiagnostics
package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@Model`, which generates the requirements of the protocol `Model`, and the conformance.
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
        // The expansion that generates the members reports problems, so that each appears once.
        guard ModelDeclaration(declaration) != nil else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): Aviary.Model {}")]
    }
}

/// The declaration of a struct with `@Model`: the parts that the generated members depend on, and its problems.
struct ModelDeclaration {
    /// The access modifier with a space, `public ` or `package `; otherwise empty.
    let access: String
    let declaresInitializer: Bool
    let properties: [ModelProperty]
    let groups: [PropertyGroup]
    let diagnostics: [Diagnostic]

    /// Reads the declaration; nil when it cannot be a model at all.
    init?(_ declaration: some DeclGroupSyntax) {
        guard Self.problem(with: declaration) == nil else { return nil }
        let modifiers = declaration.modifiers.map(\.name.text)
        access = modifiers.first { $0 == "public" || $0 == "package" }.map { $0 + " " } ?? ""
        let members = declaration.memberBlock.members
        declaresInitializer = members.contains { $0.decl.is(InitializerDeclSyntax.self) }
        var reader = ModelPropertyReader(enums: EnumReader(members))
        for member in members {
            reader.read(member.decl)
        }
        reader.reportEnums()
        properties = reader.properties
        var groups = PropertyGroupReader(
            model: declaration.modelName, properties: reader.properties, leftOut: reader.untyped)
        for member in members {
            groups.read(member.decl)
        }
        self.groups = groups.groups
        let initializers = InitializerReader(members, properties: reader.properties)
        diagnostics =
            reader.diagnostics + Self.problems(among: reader.properties, of: declaration.modelName)
            + groups.diagnostics + initializers.diagnostics
    }

    static func problem(with declaration: some DeclGroupSyntax) -> ModelProblem? {
        if declaration.is(ClassDeclSyntax.self) { return .aClass }
        guard let structure = declaration.as(StructDeclSyntax.self) else { return .notAStruct }
        return structure.genericParameterClause == nil ? nil : .genericStruct
    }
}

extension DeclGroupSyntax {
    /// The name of the struct. Only a struct can be a model.
    fileprivate var modelName: TokenSyntax { self.as(StructDeclSyntax.self)?.name.trimmed ?? .identifier("Self") }
}

// The generated code qualifies all names with their module or with Self, so that no name of the user shadows them.
extension ModelDeclaration {
    var members: [DeclSyntax] {
        var members: [DeclSyntax] = []
        if !declaresIdentity { members.append(identityDeclaration) }
        if !declaresInitializer { members.append(memberwiseInitializer) }
        members += [schemaDeclaration, readingInitializer, bindingFunction]
        return members
    }

    /// The declaration of `id`.
    ///
    /// It has no initial value when only the generated initializers assign it. Creating an id takes time, and the
    /// initializer that reads a record would replace it at once.
    private var identityDeclaration: DeclSyntax {
        let initialValue = declaresInitializer ? " = Aviary.RecordID()" : ""
        return "\(raw: access)var id: Aviary.RecordID<Self>\(raw: initialValue)"
    }

    private var memberwiseInitializer: DeclSyntax {
        let parameters = (properties.filter { !$0.isIdentity } + [identity]).compactMap(\.parameter)
        return """
            \(raw: access)init(\(raw: parameters.joined(separator: ", "))) {
            \(raw: lines(allProperties.map(\.assignment)))
            }
            """
    }

    private var schemaDeclaration: DeclSyntax {
        """
        \(raw: access)static let schema = Aviary.ModelSchema(
            Self.self,
            [
        \(raw: lines(properties.filter { !$0.isIdentity && !$0.isRefused }.map { "        \($0.definition)," }))
            ]\(raw: groupArguments)
        )
        """
    }

    private var groupArguments: String {
        func argument(_ label: String, _ kind: PropertyGroup.Kind) -> String {
            let found = groups.filter { $0.kind == kind }.map(\.code)
            return found.isEmpty ? "" : ",\n    \(label): [\(found.joined(separator: ", "))]"
        }
        return argument("uniqueConstraints", .unique) + argument("indexes", .index)
    }

    private var readingInitializer: DeclSyntax {
        """
        \(raw: access)init(from reader: inout Aviary.FieldReader) throws {
        \(raw: lines(allProperties.map { "    self.\($0.identifier) = try reader.next(\"\($0.name)\")" }))
        }
        """
    }

    private var bindingFunction: DeclSyntax {
        """
        \(raw: access)func bind(to writer: inout Aviary.FieldWriter) {
        \(raw: lines(allProperties.map { "    writer.bind(self.\($0.identifier))" }))
        }
        """
    }

    private var declaresIdentity: Bool { properties.contains(where: \.isIdentity) }
    private var identity: ModelProperty { properties.first(where: \.isIdentity) ?? .addedIdentity }
    private var allProperties: [ModelProperty] { properties + (declaresIdentity ? [] : [.addedIdentity]) }

    private func lines(_ lines: [String]) -> String { lines.joined(separator: "\n") }
}

extension ModelDeclaration {
    /// Returns the problems of properties that are each valid alone but conflict with each other.
    static func problems(among properties: [ModelProperty], of model: TokenSyntax) -> [Diagnostic] {
        originalNameProblems(among: properties) + inverseProblems(among: properties, of: model)
    }

    private static func originalNameProblems(among properties: [ModelProperty]) -> [Diagnostic] {
        var originals: Set<String> = []
        return properties.flatMap { property in
            property.options.compactMap { option in
                guard option.name == AttributeOptionKind.originalName.rawValue, let original = option.text,
                    !original.isEmpty
                else { return nil }
                let problem: ModelProblem
                // SQLite compares column names without regard to case.
                if properties.contains(where: { $0.name.lowercased() == original.lowercased() }) {
                    problem = .originalNameInUse(original)
                } else if !originals.insert(original.lowercased()).inserted {
                    problem = .repeatedOriginalName(original)
                } else {
                    return nil
                }
                return problem.diagnostic(at: option.element.expression, fixIts: [.remove(option)].compactMap { $0 })
            }
        }
    }

    /// Returns the problems with the inverses of relations of the model with itself. For other relations, the macro
    /// sees one side only.
    private static func inverseProblems(among properties: [ModelProperty], of model: TokenSyntax) -> [Diagnostic] {
        var named: [String: ModelProperty] = [:]
        return properties.compactMap { property in
            guard property.type.relatedModel == model.identifier?.name, let (argument, inverse) = property.inverse
            else { return nil }
            guard let other = properties.first(where: { $0.name == inverse }) else {
                return ModelProblem.unknownInverse(inverse, model: model.text).diagnostic(at: argument.expression)
            }
            if named[property.name] != nil, let earlier = named[property.name], earlier.name == other.name {
                return ModelProblem.inverseOnBothSides(property.name, other.name)
                    .diagnostic(at: argument, fixIts: [.removeArgument(argument)].compactMap { $0 })
            }
            named[other.name] = property
            return nil
        }
    }
}

extension ModelProperty {
    /// The argument of `@Relationship` that names the inverse, and the name of that property.
    fileprivate var inverse: (LabeledExprSyntax, String)? {
        guard let argument = relationship?.first(where: { $0.label?.text == "inverse" }),
            let keyPath = argument.expression.as(KeyPathExprSyntax.self), keyPath.components.count == 1,
            let component = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self),
            let name = component.declName.baseName.identifier?.name
        else { return nil }
        return (argument, name)
    }
}
