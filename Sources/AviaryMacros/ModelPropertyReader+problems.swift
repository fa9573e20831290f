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
        guard relationship == nil else { return nil }
        return ModelProblem.missingRelationship(property.name, model: model)
            .diagnostic(at: variable, fixIts: [.addRelationship(to: variable, model: model)])
    }
}

extension String {
    /// Raw identifiers may hold anything; a column, a form field and a CSV header cannot.
    fileprivate var isColumnName: Bool {
        allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
