import SwiftSyntax

/// Why values of a type cannot be stored, as far as its spelling tells, and what to use instead.
struct FieldTypeProblem {
    let reason: String
    /// The type to write instead, where one is obvious.
    var replacement: String?
}

extension TypeSyntax {
    /// Nil for types that can be stored, and for those whose names alone tell nothing: the compiler knows them.
    var fieldProblem: FieldTypeProblem? {
        switch self.as(TypeSyntaxEnum.self) {
        case .optionalType(let optional): optional.wrappedType.problemInOptional
        case .implicitlyUnwrappedOptionalType(let optional): optional.wrappedType.problemInOptional
        case .attributedType(let attributed): attributed.baseType.fieldProblem
        case .tupleType(let tuple):
            // Of one element it is a type in parentheses; a real one is told of elsewhere.
            tuple.elements.count == 1 ? tuple.elements.first?.type.fieldProblem : nil
        case .functionType:
            FieldTypeProblem(reason: "a closure has no value to store; make it a method, or mark it @Transient")
        case .someOrAnyType, .compositionType:
            FieldTypeProblem(reason: "only values of one type can be stored; name the type")
        case .metatypeType:
            FieldTypeProblem(reason: "a type is no value; store its name as a String, or use a Choice")
        case .arrayType(let array): array.element.problemInArray
        case .dictionaryType(let dictionary): dictionary.key.fieldProblem ?? dictionary.value.fieldProblem
        case .identifierType, .memberType: namedFieldProblem
        default: nil
        }
    }

    private var namedFieldProblem: FieldTypeProblem? {
        let argument = genericArguments?.arguments.first?.argument
        // `Any` is a keyword, not a name.
        switch name ?? trimmedDescription {
        case "Any", "AnyObject", "AnyHashable":
            return FieldTypeProblem(reason: "only values of one type can be stored; name the type")
        case "Dictionary":
            return genericArguments?.arguments.lazy.compactMap { $0.argument.as(TypeSyntax.self)?.fieldProblem }.first
        case "Optional": return argument?.as(TypeSyntax.self)?.problemInOptional
        case "Array", "Set": return argument?.as(TypeSyntax.self)?.problemInArray
        default: return nil
        }
    }

    private var problemInOptional: FieldTypeProblem? {
        if isOptional {
            return FieldTypeProblem(
                reason: "there is one nil in a column, not two; leave out a question mark",
                replacement: trimmedDescription)
        }
        if name == "Related" {
            return FieldTypeProblem(
                reason: "a to-many relation is never nil; leave out the question mark", replacement: trimmedDescription)
        }
        return fieldProblem
    }

    private var problemInArray: FieldTypeProblem? {
        guard name == "Reference" || name == "Related",
            let model = genericArguments?.arguments.first?.argument.trimmedDescription
        else { return fieldProblem }
        return FieldTypeProblem(
            reason: "a list of references is a relation; use Related<\(model)> with @Relationship",
            replacement: "Related<\(model)>"
        )
    }
}
