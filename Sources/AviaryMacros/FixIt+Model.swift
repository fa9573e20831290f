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

    /// The labels of the attributes' arguments, in the order that Swift expects.
    private static let argumentLabels = [
        "deleteRule", "minimumModelCount", "maximumModelCount", "originalName", "inverse",
    ]

    /// Moves the arguments of all attributes with a name into the first; nil if a comment is between them, or if an
    /// argument has two values.
    static func mergeAttributes(named name: String, of variable: VariableDeclSyntax) -> FixIt? {
        let all = variable.attributes(named: name)
        guard let first = all.first, let last = all.last else { return nil }
        let gaps = all.map(\.trailingTrivia) + all.dropFirst().map(\.leadingTrivia)
        guard gaps.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) else { return nil }
        let arguments = all.flatMap { $0.labeledArguments.map(Array.init) ?? [] }
        let labels = arguments.compactMap(\.label?.text)
        guard Set(labels).count == labels.count else { return nil }
        // Swift expects the arguments without a label first.
        let ordered =
            arguments.filter { $0.label == nil }
            + argumentLabels.flatMap { label in
                arguments.filter { $0.label?.text == label }
            }
        guard ordered.count == arguments.count else { return nil }
        let texts = ordered.map { $0.trimmed.with(\.trailingComma, nil).trimmedDescription }
        let list = texts.isEmpty ? "" : "(\(texts.joined(separator: ", ")))"
        let text = "@\(first.attributeName.trimmedDescription)\(list)"
        var merged: AttributeSyntax = "\(raw: text)"
        merged.leadingTrivia = first.leadingTrivia
        merged.trailingTrivia = first.trailingTrivia.isEmpty ? last.trailingTrivia : first.trailingTrivia
        let others = Set(all.dropFirst().map(\.id))
        var repaired = variable
        repaired.attributes = AttributeListSyntax(
            Array(variable.attributes).filter { !others.contains($0.id) }.map { element in
                element.id == first.id ? .attribute(merged) : element
            })
        return FixIt(message: Repair("mergeAttributes", "use '\(text)'"), replacing: variable, with: repaired)
    }

    /// Removes a declaration.
    static func remove(_ variable: VariableDeclSyntax, named name: String) -> FixIt {
        FixIt(
            message: Repair("removeProperty", "remove '\(name)'"), replacing: variable,
            with: TokenSyntax.identifier("", leadingTrivia: variable.leadingTrivia))
    }

    /// Replaces the type of a property; nil for a declaration of several properties, or of one without a type.
    ///
    /// - Parameters:
    ///   - variable: The declaration.
    ///   - type: The new type.
    ///   - attribute: An attribute to remove with it; nil for none.
    ///   - keepsValue: Indicates whether the initial value stays.
    ///   - title: The title of the fix-it; nil for one that names the type.
    static func replaceType(
        of variable: VariableDeclSyntax, with type: String, removing attribute: AttributeSyntax?, keepsValue: Bool,
        title: String? = nil
    ) -> FixIt? {
        guard variable.bindings.count == 1, var binding = variable.bindings.first, let old = binding.typeAnnotation
        else { return nil }
        let end = binding.trailingTrivia
        var new = TypeSyntax("\(raw: type)")
        new.leadingTrivia = old.type.leadingTrivia
        new.trailingTrivia = old.type.trailingTrivia
        binding.typeAnnotation?.type = new
        if !keepsValue { binding.initializer = nil }
        binding.trailingTrivia = end
        var repaired = variable
        repaired.bindings = PatternBindingListSyntax([binding])
        if let attribute {
            repaired.attributes = variable.attributes.filter { $0.id != attribute.id }
            repaired.leadingTrivia = variable.leadingTrivia
        }
        return FixIt(
            message: Repair("replaceType", title ?? "use '\(type)'"), replacing: variable, with: repaired)
    }

    /// Replaces the inheritance clause of an enum.
    static func inherit(_ names: [String], in declaration: EnumDeclSyntax) -> FixIt {
        var repaired = declaration
        let clause = ": \(names.joined(separator: ", ")) "
        repaired.inheritanceClause = nil
        repaired.name = .identifier(declaration.name.text + clause, leadingTrivia: declaration.name.leadingTrivia)
        return FixIt(message: Repair("addChoice", "add 'Choice'"), replacing: declaration, with: repaired)
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

    static func addInitialValue(to binding: PatternBindingSyntax) -> FixIt { setValue("<#value#>", of: binding) }

    /// Gives a property an initial value.
    static func setValue(_ value: String, of binding: PatternBindingSyntax) -> FixIt {
        var repaired = binding
        repaired.initializer = InitializerClauseSyntax(
            leadingTrivia: .space, equal: .equalToken(trailingTrivia: .space), value: ExprSyntax("\(raw: value)")
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
