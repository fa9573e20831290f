import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

private struct Repair: FixItMessage {
    let message: String
    let fixItID: MessageID

    init(_ name: String, _ message: String) {
        self.message = message
        fixItID = MessageID(domain: "AviaryMacros", id: name)
    }
}

extension FixIt {
    /// Replaces `class` by `struct` and removes `final`, which a struct cannot have.
    static func useStruct(for declaration: ClassDeclSyntax) -> FixIt {
        var keyword = declaration.classKeyword
        keyword.tokenKind = .keyword(.struct)
        var changes: [Change] = [.replace(oldNode: Syntax(declaration.classKeyword), newNode: Syntax(keyword))]
        if let final = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.final) }) {
            changes.append(
                .replace(
                    oldNode: Syntax(final),
                    newNode: Syntax(TokenSyntax.identifier("", leadingTrivia: final.leadingTrivia))
                ))
        }
        return FixIt(message: Repair("useStruct", "use a struct"), changes: changes)
    }

    static func useVariable(_ variable: VariableDeclSyntax) -> FixIt {
        var repaired = variable
        repaired.bindingSpecifier.tokenKind = .keyword(.var)
        return FixIt(message: Repair("useVariable", "use 'var'"), replacing: variable, with: repaired)
    }

    /// Adds a type annotation: the type that an initial value such as `Date()` names, or else a placeholder.
    static func annotateType(of binding: PatternBindingSyntax) -> FixIt {
        var repaired = binding
        repaired.pattern.trailingTrivia = []
        repaired.typeAnnotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space),
            type: TypeSyntax(stringLiteral: binding.initializer?.value.constructedType ?? "<#Type#>"),
            trailingTrivia: .space
        )
        return FixIt(message: Repair("annotateType", "add a type annotation"), replacing: binding, with: repaired)
    }

    static func remove(_ attribute: AttributeSyntax, from variable: VariableDeclSyntax) -> FixIt {
        var repaired = variable
        repaired.attributes = variable.attributes.filter { $0.id != attribute.id }
        repaired.leadingTrivia = variable.leadingTrivia
        let name = attribute.attributeName.trimmedDescription
        return FixIt(message: Repair("removeAttribute", "remove '@\(name)'"), replacing: variable, with: repaired)
    }

    /// Replaces a node by other source.
    ///
    /// - Parameters:
    ///   - node: The node to replace.
    ///   - text: The new source.
    static func replace(_ node: some SyntaxProtocol, with text: String) -> FixIt {
        let new = TokenSyntax(
            .identifier(text), leadingTrivia: node.leadingTrivia, trailingTrivia: node.trailingTrivia,
            presence: .present)
        return FixIt(message: Repair("replace", "use '\(text)'"), replacing: node, with: new)
    }

    static func addInitialValue(to binding: PatternBindingSyntax) -> FixIt {
        var repaired = binding
        repaired.initializer = InitializerClauseSyntax(
            leadingTrivia: .space, equal: .equalToken(trailingTrivia: .space), value: "<#value#>" as ExprSyntax
        )
        repaired.initializer?.trailingTrivia = binding.trailingTrivia
        repaired.typeAnnotation?.trailingTrivia = []
        return FixIt(message: Repair("addInitialValue", "give it an initial value"), replacing: binding, with: repaired)
    }

    /// Removes an option. Removes the attribute too when this is its last option.
    static func remove(_ option: AttributeOptionSyntax, from variable: VariableDeclSyntax) -> FixIt {
        if let fixIt = remove(option) { return fixIt }
        guard let attribute = variable.attribute(named: "Attribute") else { return useVariable(variable) }
        return remove(attribute, from: variable)
    }

    /// Removes an option from its list; nil when the list would become empty.
    static func remove(_ option: AttributeOptionSyntax) -> FixIt? { removeArgument(option.element) }

    static func removeArgument(_ argument: LabeledExprSyntax) -> FixIt? {
        guard let list = argument.parent?.as(LabeledExprListSyntax.self) else { return nil }
        var others = Array(list.filter { $0.id != argument.id })
        guard let last = others.popLast() else { return nil }
        others.append(last.with(\.trailingComma, nil).with(\.trailingTrivia, []))
        let name = argument.trimmed.with(\.trailingComma, nil).trimmedDescription
        return FixIt(
            message: Repair("removeArgument", "remove '\(name)'"), replacing: list, with: LabeledExprListSyntax(others))
    }

    static func addRelationship(to variable: VariableDeclSyntax, model: String) -> FixIt {
        var declaration = variable
        declaration.leadingTrivia = []
        let attribute: AttributeSyntax = "@Relationship(inverse: \\\(raw: model).<#reference#>)"
        declaration.attributes.insert(
            .attribute(attribute.with(\.trailingTrivia, .space)), at: declaration.attributes.startIndex
        )
        declaration.leadingTrivia = variable.leadingTrivia
        return FixIt(message: Repair("addRelationship", "name the inverse"), replacing: variable, with: declaration)
    }
}

extension FixIt {
    private init(message: Repair, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
        self.init(message: message, changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
}
