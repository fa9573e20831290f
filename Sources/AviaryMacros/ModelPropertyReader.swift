import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// A reader of the members of a struct, which collects its stored properties and the problems that prevent storing
/// them.
///
/// It leaves out a property with a problem and keeps the others, so that each mistake causes one error.
struct ModelPropertyReader {
    private(set) var properties: [ModelProperty] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// The names of properties whose type is unknown.
    private(set) var untyped: Set<String> = []
    private let enums: EnumReader

    init(enums: EnumReader) {
        self.enums = enums
    }

    /// Reports the enums of the struct that properties store and that are no choices, each once.
    mutating func reportEnums() {
        for declaration in enums.declarations where declaration.isMistaken {
            let name = declaration.name
            var isStored = false
            for index in properties.indices where properties[index].type.storedElement.trimmedDescription == name {
                properties[index].isRefused = true
                isStored = true
            }
            if isStored { diagnostics.append(declaration.diagnostic) }
        }
    }

    mutating func read(_ member: DeclSyntax) {
        if let variable = member.as(VariableDeclSyntax.self) {
            read(variable)
        } else if let conditional = member.as(IfConfigDeclSyntax.self), let property = conditional.firstStoredProperty {
            diagnostics.append(ModelProblem.conditionalProperty.diagnostic(at: property))
        }
    }

    private mutating func read(_ variable: VariableDeclSyntax) {
        guard !variable.isStatic else { return }
        if let mark = variable.attribute(named: "Transient") {
            diagnostics += transientProblems(with: variable, markedBy: mark)
            // An id is always stored, even with @Transient.
            guard variable.declaresIdentity else { return }
        }
        // In `var a, b: Int`, the annotation of the last name applies to all names before it.
        var type: TypeSyntax?
        var found: [(PatternBindingSyntax, TypeSyntax?)] = []
        for binding in variable.bindings.reversed() {
            type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
            if binding.isStored { found.append((binding, type)) }
        }
        for (binding, type) in found.reversed() {
            read(binding, annotatedAs: type?.trimmed, in: variable)
        }
    }

    private mutating func read(
        _ binding: PatternBindingSyntax, annotatedAs annotation: TypeSyntax?, in variable: VariableDeclSyntax
    ) {
        guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.trimmed else {
            diagnostics.append(ModelProblem.tuple.diagnostic(at: binding.pattern))
            return
        }
        let initialValue = binding.initializer?.value.trimmed
        let valueType = initialValue.flatMap { $0.literalType ?? enums.type(of: $0) }
        guard let type = annotation ?? valueType ?? identity(identifier) else {
            untyped.insert(identifier.identifier?.name ?? "")
            diagnostics.append(
                ModelProblem.unknownType(identifier.text).diagnostic(
                    at: binding.pattern, fixIts: [.annotateType(of: binding)]
                ))
            return
        }
        var property = ModelProperty(
            identifier: identifier, type: type, initialValue: initialValue,
            options: variable.attribute(named: "Attribute")?.labeledArguments?.map(AttributeOptionSyntax.init) ?? [],
            relationship: variable.attribute(named: "Relationship")?.labeledArguments
        )
        if let diagnostic = problem(with: property, in: variable) {
            diagnostics.append(diagnostic)
            property.isRefused = true
        } else {
            diagnostics += repetitionProblems(with: property, in: variable)
            diagnostics += optionProblems(with: property, in: variable)
        }
        // The initializers still assign a constant that has no value.
        guard !variable.isConstant || initialValue == nil, !variable.isLazy else { return }
        properties.append(property)
    }

    /// Returns the type of an `id`, which needs no annotation because only one type is possible; nil for other
    /// names.
    private func identity(_ identifier: TokenSyntax) -> TypeSyntax? {
        identifier.identifier?.name == "id" ? "Aviary.RecordID<Self>" : nil
    }
}

extension ModelPropertyReader {
    /// Returns the problems with a property that has an attribute several times, of which `@Model` reads the first.
    func repetitionProblems(with property: ModelProperty, in variable: VariableDeclSyntax) -> [Diagnostic] {
        [
            ("Attribute", ModelProblem.repeatedAttribute(property.name)),
            ("Relationship", ModelProblem.repeatedRelationship(property.name)),
        ].compactMap { name, problem in
            guard let second = variable.attributes(named: name).dropFirst().first else { return nil }
            let fixIt = FixIt.mergeAttributes(named: name, of: variable)
            return problem.diagnostic(at: second, fixIts: fixIt.map { [$0] } ?? [])
        }
    }

    /// Returns the problems with the options of a property's `@Attribute`.
    func optionProblems(with property: ModelProperty, in variable: VariableDeclSyntax) -> [Diagnostic] {
        var names: Set<String> = []
        return property.options.compactMap { option in
            guard let name = option.name else { return nil }
            func diagnostic(_ problem: ModelProblem, _ fixIts: [FixIt]) -> Diagnostic {
                problem.diagnostic(at: option.element.expression, fixIts: fixIts)
            }
            if let advice = AttributeOptionKind.adviceForSwiftData[name] {
                return diagnostic(.optionOfSwiftData(name, advice: advice), [.remove(option, from: variable)])
            }
            guard let kind = AttributeOptionKind(rawValue: name) else {
                let known = AttributeOptionKind.nearest(to: name)
                let repair = option.nameToken.flatMap { token in known.map { FixIt.replace(token, with: $0.rawValue) } }
                return diagnostic(.unknownOption(name), repair.map { [$0] } ?? [])
            }
            if !names.insert(name).inserted {
                return diagnostic(.repeatedOption(name), [.remove(option, from: variable)])
            }
            if let type = property.type.unwrapped.name, !kind.fits(typeNamed: type) {
                let other = kind.counterpart(forTypeNamed: type)?.rawValue
                let repair = option.nameToken.flatMap { token in other.map { FixIt.replace(token, with: $0) } }
                return diagnostic(
                    .unfitOption(name, property.name, type: type, purpose: kind.purpose, other: other),
                    (repair.map { [$0] } ?? []) + [.remove(option, from: variable)])
            }
            if kind == .range, let type = property.type.unwrapped.name, AttributeOptionKind.fractions.contains(type),
                let token = option.halfOpenOperator
            {
                return diagnostic(.halfOpenRange(property.name, type: type), [.replace(token, with: "...")])
            }
            return mistake(in: option, kind).map { diagnostic($0, []) }
        }
    }

    private func mistake(in option: AttributeOptionSyntax, _ kind: AttributeOptionKind) -> ModelProblem? {
        switch kind {
        case .length, .range:
            guard let (lower, upper, isHalfOpen) = option.bounds else { return nil }
            if lower > upper { return .reversedRange(lower, upper) }
            if isHalfOpen, lower == upper { return .emptyRange(lower) }
            return kind == .length && lower < 0 ? .negativeLength : nil
        case .pattern:
            guard let pattern = option.text else { return nil }
            // The store later matches texts with the same library that compiles the pattern here.
            return (try? Regex(pattern)) == nil ? .invalidPattern(pattern) : nil
        case .originalName: return option.text == "" ? .emptyOriginalName : nil
        case .scale:
            guard let digits = option.arguments?.first?.expression.trimmedDescription, let scale = Int(digits) else {
                return nil
            }
            return (0...18).contains(scale) ? nil : .scaleOutOfBounds(scale)
        case .unique, .required, .indexed, .secret, .fullText, .notFullText: return nil
        }
    }
}

extension ModelPropertyReader {
    func problem(with property: ModelProperty, in variable: VariableDeclSyntax) -> Diagnostic? {
        if variable.isLazy {
            return ModelProblem.lazyProperty(property.name).diagnostic(at: variable)
        }
        if let (attribute, name) = variable.foreignAttribute {
            return ModelProblem.attributedProperty(property.name, attribute: name)
                .diagnostic(at: attribute, fixIts: [.remove(attribute, from: variable)])
        }
        if property.isIdentity, !property.isOwnIdentity {
            let fixIts = variable.bindings.count == 1 ? [FixIt.remove(variable, named: property.name)] : []
            return ModelProblem.unknownIdentityType.diagnostic(at: variable, fixIts: fixIts)
        }
        if variable.isConstant {
            return ModelProblem.constant(property.name)
                .diagnostic(at: variable.bindingSpecifier, fixIts: [.useVariable(variable)])
        }
        if let tuple = property.type.as(TupleTypeSyntax.self), tuple.elements.count != 1 {
            return ModelProblem.tuple.diagnostic(at: variable)
        }
        if let problem = property.type.fieldProblem {
            let place = variable.annotation(of: property)
            let fixIts = place.flatMap { place in problem.replacement.map { [FixIt.replace(place, with: $0)] } } ?? []
            return ModelProblem.unfitType(property.name, problem.reason)
                .diagnostic(at: place.map(Syntax.init) ?? Syntax(variable), fixIts: fixIts)
        }
        if !property.name.isColumnName {
            return ModelProblem.specialName(property.name).diagnostic(at: variable)
        }
        return relationProblem(with: property, in: variable)
    }

    private func relationProblem(with property: ModelProperty, in variable: VariableDeclSyntax) -> Diagnostic? {
        let relationship = variable.attribute(named: "Relationship")
        guard let model = property.type.relatedModel else {
            if let problem = identityProblem(with: property, in: variable) { return problem }
            guard let relationship else { return nil }
            if let replacement = property.type.relationReplacement {
                let isList = replacement.hasPrefix("Related")
                let problem: ModelProblem =
                    isList
                    ? .relationshipOnList(property.name, replacement: replacement)
                    : .relationshipOnModel(property.name, replacement: replacement)
                let fixIt = FixIt.replaceType(
                    of: variable, with: replacement, removing: isList ? nil : relationship, keepsValue: !isList)
                return problem.diagnostic(at: variable, fixIts: fixIt.map { [$0] } ?? [])
            }
            return ModelProblem.relationshipOnOtherType(property.name)
                .diagnostic(at: relationship, fixIts: [.remove(relationship, from: variable)])
        }
        if let attribute = variable.attribute(named: "Attribute") {
            return ModelProblem.attributeOnRelation(property.name)
                .diagnostic(at: attribute, fixIts: [.remove(attribute, from: variable)])
        }
        if property.initialValue?.is(ArrayExprSyntax.self) == true {
            let fixIt = FixIt.replaceType(
                of: variable, with: property.type.trimmedDescription, removing: nil, keepsValue: false,
                title: "remove the initial value")
            return ModelProblem.valueOnRelation(property.name).diagnostic(
                at: variable, fixIts: fixIt.map { [$0] } ?? [])
        }
        if let relationship { return inverseProblem(with: relationship, to: model) }
        return ModelProblem.missingRelationship(property.name, model: model)
            .diagnostic(at: variable, fixIts: [.addRelationship(to: variable, model: model)])
    }
}

extension ModelPropertyReader {
    /// Returns the problem with a property that holds the id of another record; nil for other properties.
    private func identityProblem(with property: ModelProperty, in variable: VariableDeclSyntax) -> Diagnostic? {
        let type = property.type.unwrapped
        guard !property.isIdentity, type.name == "RecordID",
            let model = type.genericArguments?.arguments.first?.argument.trimmedDescription
        else { return nil }
        let replacement = "Reference<\(model)>" + (property.type.isOptional ? "?" : "")
        let fixIt = FixIt.replaceType(of: variable, with: replacement, removing: nil, keepsValue: true)
        return ModelProblem.identityOfOtherModel(property.name, replacement: replacement)
            .diagnostic(at: variable, fixIts: fixIt.map { [$0] } ?? [])
    }

    private func inverseProblem(with relationship: AttributeSyntax, to model: String) -> Diagnostic? {
        guard let inverse = relationship.labeledArguments?.first(where: { $0.label?.text == "inverse" }),
            let keyPath = inverse.expression.as(KeyPathExprSyntax.self)
        else { return nil }
        guard let root = keyPath.root else {
            return ModelProblem.inverseWithoutModel(model).diagnostic(
                at: keyPath, fixIts: [.replace(keyPath, with: "\\\(model)\(keyPath.components.trimmedDescription)")])
        }
        // Either name may be qualified with a module or an outer type.
        guard let name = root.name, let expected = model.split(separator: ".").last, name != "Self", name != expected
        else { return nil }
        return ModelProblem.inverseOfOtherModel(name, model: model).diagnostic(
            at: root, fixIts: [.replace(root, with: model)])
    }
}

extension VariableDeclSyntax {
    fileprivate func annotation(of property: ModelProperty) -> TypeSyntax? {
        let types = bindings.compactMap(\.typeAnnotation?.type)
        return types.first { $0.trimmedDescription == property.type.trimmedDescription }
    }
}

extension String {
    /// Indicates whether the name is valid for a column, a form field and a CSV header. A raw identifier may not be.
    fileprivate var isColumnName: Bool {
        allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

extension ModelPropertyReader {
    func transientProblems(with variable: VariableDeclSyntax, markedBy mark: AttributeSyntax) -> [Diagnostic] {
        let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
        func unmarked(_ problem: ModelProblem) -> [Diagnostic] {
            [problem.diagnostic(at: mark, fixIts: [.remove(mark, from: variable)])]
        }
        if variable.declaresIdentity { return unmarked(.transientIdentity) }
        if !variable.bindings.contains(where: \.isStored) { return unmarked(.transientComputed(name)) }
        for other in ["Attribute", "Relationship"] {
            guard let attribute = variable.attribute(named: other) else { continue }
            return [
                ModelProblem.transientWithOther(name, other)
                    .diagnostic(
                        at: attribute, fixIts: [.remove(attribute, from: variable), .remove(mark, from: variable)])
            ]
        }
        if let second = variable.attributes(named: "Transient").dropFirst().first {
            return [
                ModelProblem.repeatedTransient(name).diagnostic(at: second, fixIts: [.remove(second, from: variable)])
            ]
        }
        guard let binding = variable.bindingWithoutValue else { return [] }
        return [
            ModelProblem.transientWithoutValue(binding.pattern.trimmedDescription)
                .diagnostic(at: binding, fixIts: [.addInitialValue(to: binding)])
        ]
    }
}
