package import SwiftDiagnostics
package import SwiftSyntax

/// A problem with the declaration of a model. The message says what to do next.
package enum ModelProblem: Hashable {
    case notAStruct
    case aClass
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
    case relationshipOnModel(String, replacement: String)
    case relationshipOnList(String, replacement: String)
    case repeatedRelationship(String)
    case relationWithoutValue(String)
    case valueOnRelation(String)
    case identityOfOtherModel(String, replacement: String)
    case enumWithoutChoice(String, replacement: String)
    case inverseWithoutModel(String)
    case inverseOfOtherModel(String, model: String)
    case unknownInverse(String, model: String)
    case inverseOnBothSides(String, String)
    case unfitType(String, String)
    case repeatedAttribute(String)
    case unknownOption(String)
    case optionOfSwiftData(String, advice: String)
    case repeatedOption(String)
    case unfitOption(String, String, type: String, purpose: String, other: String?)
    case reversedRange(Int, Int)
    case emptyRange(Int)
    case halfOpenRange(String, type: String)
    case negativeLength
    case invalidPattern(String)
    case emptyOriginalName
    case originalNameInUse(String)
    case repeatedOriginalName(String)
    case scaleOutOfBounds(Int)
    case transientIdentity
    case transientComputed(String)
    case transientWithOther(String, String)
    case transientWithoutValue(String)
    case repeatedTransient(String)
    case groupOutsideModel(String)
    case groupOfOtherModel(String, String)
    case emptyGroup(String)
    case unknownGroupProperty(String, String, model: String)
    case repeatedGroupProperty(String, String)
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
        case .aClass:
            "a model is a struct, because its records are values: write 'struct', and save a changed copy with 'update'"
        case .genericStruct:
            "a model cannot be generic: its table has one set of columns; declare a model for each type"
        case .constant(let name):
            "'\(name)' must be a 'var': an editor changes it, and reading a record sets it"
        case .unknownType(let name):
            "'\(name)' needs a type annotation: @Model cannot tell the type of its initial value"
        case .unknownIdentityType:
            "the 'id' of a model is a RecordID of the model itself; leave it out and @Model adds it"
        case .enumWithoutChoice(let name, let replacement):
            "the enum '\(name)' of a stored property is not a Choice: write '\(replacement)'"
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
        default: relationMessage ?? optionMessage ?? groupMessage
        }
    }

    private var relationMessage: String? {
        switch self {
        case .relationshipOnModel(let name, let replacement):
            "'\(name)' cannot hold a record: a relation to one record is a \(replacement) without @Relationship"
        case .relationshipOnList(let name, let replacement):
            "'\(name)' cannot hold a list of records: a relation to many records is a \(replacement)"
        case .repeatedRelationship(let name):
            "'\(name)' has more than one @Relationship: write all its arguments in the first"
        case .relationWithoutValue(let name):
            "'\(name)' needs the initial value Related(): the initializer of the struct does not set it"
        case .valueOnRelation(let name):
            "'\(name)' holds no records: leave out its initial value, or write Related()"
        case .identityOfOtherModel(let name, let replacement):
            "'\(name)' cannot be the id of another record: a record refers to another by a \(replacement)"
        case .inverseWithoutModel(let model):
            "the inverse is a property of \(model): begin the key path with its name"
        case .inverseOfOtherModel(let other, let model):
            "the inverse of a Related<\(model)> is a property of \(model), not of \(other)"
        case .unknownInverse(let name, let model):
            "'\(model)' has no stored property '\(name)' that could be the inverse"
        case .inverseOnBothSides(let name, let other):
            "'\(other)' names '\(name)' as its inverse already; name it on one side only"
        default: nil
        }
    }

    private var optionMessage: String? {
        switch self {
        case .unfitType(let name, let reason):
            "'\(name)' cannot be stored: \(reason)"
        case .repeatedAttribute(let name):
            "'\(name)' has more than one @Attribute: write all its options in the first"
        case .unknownOption(let name):
            "there is no option '.\(name)' of @Attribute"
        case .optionOfSwiftData(let name, let advice):
            "there is no option '.\(name)' of @Attribute: \(advice)"
        case .repeatedOption(let name):
            "'.\(name)' is there twice"
        case .unfitOption(let option, let name, let type, let purpose, let other):
            "'.\(option)' is for \(purpose), and '\(name)' is of type '\(type)'"
                + (other.map { ": use '.\($0)'" } ?? "")
        case .reversedRange(let lower, let upper):
            "the range begins behind its end: \(lower) is more than \(upper)"
        case .emptyRange(let bound):
            "the range \(bound)..<\(bound) contains no number"
        case .halfOpenRange(let name, let type):
            "'\(name)' is a \(type), of which none is the last before a bound: use '...', and exclude the end in validate()"
        case .negativeLength:
            "a text has no fewer than 0 characters"
        case .invalidPattern(let pattern):
            "'\(pattern)' is no regular expression"
        case .emptyOriginalName:
            "the name that the property had cannot be empty"
        case .originalNameInUse(let name):
            "'\(name)' is the name of a property that is there; an original name is one that is gone"
        case .repeatedOriginalName(let name):
            "another property has the original name '\(name)' already; only one can take over its values"
        case .scaleOutOfBounds(let digits):
            "a Decimal has 0 to 18 digits behind its point, not \(digits)"
        case .transientIdentity:
            "'id' cannot be @Transient: records are found by it"
        case .transientComputed(let name):
            "'\(name)' is computed and never stored: it needs no @Transient"
        case .transientWithOther(let name, let other):
            "'\(name)' cannot have @\(other) and @Transient: what is not stored takes no options"
        case .transientWithoutValue(let name):
            "'\(name)' needs an initial value: it is @Transient, so reading a record does not set it"
        case .repeatedTransient(let name):
            "'\(name)' has more than one @Transient: remove the second"
        default: nil
        }
    }

    private var groupMessage: String {
        switch self {
        case .groupOutsideModel(let macro):
            "#\(macro) belongs inside of a struct that has @Model"
        case .groupOfOtherModel(let macro, let model):
            "#\(macro) in \(model) is about \(model)"
        case .emptyGroup(let macro):
            "#\(macro) needs lists of properties, such as [\\.title, \\.year]"
        case .unknownGroupProperty(let expression, let macro, let model):
            "'\(expression)' is no stored property of \(model): #\(macro) takes key paths such as \\.title"
        case .repeatedGroupProperty(let name, let macro):
            "'\(name)' is twice in one list of #\(macro)"
        default: ""
        }
    }

    package func diagnostic(at node: some SyntaxProtocol, fixIts: [FixIt] = []) -> Diagnostic {
        Diagnostic(node: node, message: self, fixIts: fixIts)
    }
}
