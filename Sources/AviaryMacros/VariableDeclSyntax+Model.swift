import SwiftSyntax

extension VariableDeclSyntax {
    var isStatic: Bool { hasModifier(.static) || hasModifier(.class) }
    var isLazy: Bool { hasModifier(.lazy) }
    var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

    /// Returns the first attribute with this name, with or without its module's name.
    func attribute(named name: String) -> AttributeSyntax? { attributes(named: name).first }

    /// Returns all attributes with this name.
    func attributes(named name: String) -> [AttributeSyntax] {
        attributes.compactMap { $0.as(AttributeSyntax.self) }.filter { $0.attributeName.name == name }
    }

    /// The first attribute that may change how the property is stored. Swift's own attributes begin with a lowercase
    /// letter.
    var foreignAttribute: (AttributeSyntax, name: String)? {
        for case .attribute(let attribute) in attributes {
            guard let name = attribute.attributeName.name, !Self.ownAttributes.contains(name) else { continue }
            if name.first?.isUppercase == true { return (attribute, name) }
        }
        return nil
    }

    /// The first attribute that configures a property of a model; nil if there is none.
    var modelAttribute: (AttributeSyntax, name: String)? {
        for case .attribute(let attribute) in attributes {
            if let name = attribute.attributeName.name, Self.ownAttributes.contains(name) { return (attribute, name) }
        }
        return nil
    }

    private static let ownAttributes: Set<String> = ["Attribute", "Relationship", "Transient"]

    private func hasModifier(_ keyword: Keyword) -> Bool {
        modifiers.contains { $0.name.tokenKind == .keyword(keyword) }
    }
}

extension PatternBindingSyntax {
    /// Indicates whether the property is stored. Observers leave it stored; any other accessor makes it computed.
    var isStored: Bool {
        guard let accessorBlock else { return true }
        guard case .accessors(let accessors) = accessorBlock.accessors else { return false }
        return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
}

extension IfConfigDeclSyntax {
    var firstStoredProperty: VariableDeclSyntax? {
        for clause in clauses {
            guard case .decls(let members) = clause.elements else { continue }
            for member in members {
                if let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic,
                    variable.bindings.contains(where: \.isStored)
                {
                    return variable
                }
            }
        }
        return nil
    }
}

extension AttributeSyntax {
    var labeledArguments: LabeledExprListSyntax? {
        guard case .argumentList(let arguments) = arguments else { return nil }
        return arguments
    }
}

extension VariableDeclSyntax {
    var declaresIdentity: Bool {
        bindings.contains { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifier?.name == "id" }
    }

    /// The first stored property that needs an initial value but has none. A `var` of an optional type is nil by
    /// default.
    var bindingWithoutValue: PatternBindingSyntax? {
        bindings.first { binding in
            let isNilByItself = !isConstant && binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) == true
            return binding.isStored && binding.initializer == nil && !isNilByItself
        }
    }
}
