package import SwiftDiagnostics
package import SwiftSyntax

/// What can be wrong with the declaration of a model, with what to do next.
package enum ModelProblem: Hashable {
    case notAStruct
    case genericStruct
    case constant(String)
    case unknownType(String)
    case unknownIdentityType
    case lazyProperty(String)
    case attributedProperty(String, attribute: String)
    case tuple
    case specialName(String)
    case conditionalProperty
    case missingRelationship(String, model: String)
    case attributeOnRelation(String)
    case relationshipOnOtherType(String)
}

extension ModelProblem: DiagnosticMessage {
    package var severity: DiagnosticSeverity { .error }

    package var diagnosticID: MessageID {
        MessageID(domain: "AviaryMacros", id: String("\(self)".prefix { $0 != "(" }))
    }

    package var message: String {
        switch self {
        case .notAStruct:
            "@Model can only be attached to a struct"
        case .genericStruct:
            "a model cannot be generic: its table has one set of columns; declare a model for each type"
        case .constant(let name):
            "'\(name)' must be a 'var': an editor changes it, and reading a record sets it"
        case .unknownType(let name):
            "'\(name)' needs a type annotation: @Model cannot tell the type of its initial value"
        case .unknownIdentityType:
            "the 'id' of a model is a RecordID of the model itself; leave it out and @Model adds it"
        case .lazyProperty(let name):
            "'\(name)' cannot be 'lazy': every stored property of a model is a column; make it a computed property"
        case .attributedProperty(let name, let attribute):
            "'\(name)' cannot have '@\(attribute)': a stored property of a model takes no property wrapper or other macro"
        case .tuple:
            "a tuple cannot be stored; declare a property for each of its elements"
        case .specialName(let name):
            "'\(name)' cannot name a column; use letters, digits and underscores"
        case .conditionalProperty:
            "a stored property of a model cannot be inside '#if': @Model does not know which branch is compiled"
        case .missingRelationship(let name, let model):
            "'\(name)' needs @Relationship(inverse:) with the reference of \(model) that points back"
        case .attributeOnRelation(let name):
            "'\(name)' cannot have @Attribute: a to-many relation is not stored"
        case .relationshipOnOtherType(let name):
            "'\(name)' cannot have @Relationship: it belongs on a Related<…>; a Reference needs none"
        }
    }

    package func diagnostic(at node: some SyntaxProtocol, fixIts: [FixIt] = []) -> Diagnostic {
        Diagnostic(node: node, message: self, fixIts: fixIts)
    }
}
