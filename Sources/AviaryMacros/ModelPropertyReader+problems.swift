import SwiftDiagnostics
import SwiftSyntax

extension ModelPropertyReader {
    func problem(with property: ModelProperty, in variable: VariableDeclSyntax) -> Diagnostic? {
        if variable.isLazy {
            return ModelProblem.lazyProperty(property.name).diagnostic(at: variable)
        }
        if let (attribute, name) = variable.foreignAttribute {
            return ModelProblem.attributedProperty(property.name, attribute: name)
                .diagnostic(at: attribute, fixIts: [.remove(attribute, from: variable)])
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
        if property.isIdentity, property.type.name != "RecordID", property.type.name != "ID" {
            return ModelProblem.unknownIdentityType.diagnostic(at: variable)
        }
        return relationProblem(with: property, in: variable)
    }

    private func relationProblem(with property: ModelProperty, in variable: VariableDeclSyntax) -> Diagnostic? {
        let relationship = variable.attribute(named: "Relationship")
        guard let model = property.type.relatedModel else {
            guard let relationship else { return nil }
            return ModelProblem.relationshipOnOtherType(property.name)
                .diagnostic(at: relationship, fixIts: [.remove(relationship, from: variable)])
        }
        if let attribute = variable.attribute(named: "Attribute") {
            return ModelProblem.attributeOnRelation(property.name)
                .diagnostic(at: attribute, fixIts: [.remove(attribute, from: variable)])
        }
        if let relationship { return inverseProblem(with: relationship, to: model) }
        return ModelProblem.missingRelationship(property.name, model: model)
            .diagnostic(at: variable, fixIts: [.addRelationship(to: variable, model: model)])
    }
}

extension ModelPropertyReader {
    private func inverseProblem(with relationship: AttributeSyntax, to model: String) -> Diagnostic? {
        guard let inverse = relationship.labeledArguments?.first(where: { $0.label?.text == "inverse" }),
            let keyPath = inverse.expression.as(KeyPathExprSyntax.self)
        else { return nil }
        guard let root = keyPath.root else {
            return ModelProblem.inverseWithoutModel(model).diagnostic(
                at: keyPath, fixIts: [.replace(keyPath, with: "\\\(model)\(keyPath.components.trimmedDescription)")])
        }
        // Either may be written with its module's or outer type's name.
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
    /// Raw identifiers may hold anything; a column, a form field and a CSV header cannot.
    fileprivate var isColumnName: Bool {
        allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
