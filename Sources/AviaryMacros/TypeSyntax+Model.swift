import SwiftSyntax
import SwiftSyntaxBuilder

extension TypeSyntax {
    /// The model of a to-many relation: `Animal` in `Related<Animal>` and `Aviary.Related<Animal>`; nil for any
    /// other type.
    var relatedModel: String? {
        guard name == "Related", let argument = genericArguments?.arguments.first else { return nil }
        return argument.argument.trimmedDescription
    }

    /// Indicates whether the type is an optional, as far as its spelling tells.
    var isOptional: Bool {
        self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) || name == "Optional"
    }

    /// The type without `?` and `Optional`.
    var unwrapped: TypeSyntax {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType }
        guard name == "Optional", let wrapped = genericArguments?.arguments.first?.argument.as(TypeSyntax.self)
        else { return self }
        return wrapped
    }

    /// The last name of a possibly qualified type, without generic arguments.
    var name: String? {
        self.as(IdentifierTypeSyntax.self)?.name.identifier?.name
            ?? self.as(MemberTypeSyntax.self)?.name.identifier?.name
    }

    var genericArguments: GenericArgumentClauseSyntax? {
        self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
            ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    }
}

extension TypeSyntax {
    /// The relation to write for a property with `@Relationship` that has this type: `Related<Shot>` for `[Shot]`,
    /// `Reference<Scope>?` for `Scope?`; nil for a type that names no model.
    var relationReplacement: String? {
        guard let model = storedElement.modelName else { return nil }
        if unwrapped.isList { return "Related<\(model)>" }
        return "Reference<\(model)>" + (isOptional ? "?" : "")
    }

    /// The type whose values a property stores: `Diet` for `Diet`, `Diet?`, `[Diet]` and `Set<Diet>?`.
    var storedElement: TypeSyntax {
        let type = unwrapped
        if let array = type.as(ArrayTypeSyntax.self) { return array.element.trimmed }
        guard type.isList, let element = type.genericArguments?.arguments.first?.argument.as(TypeSyntax.self)
        else { return type.trimmed }
        return element.trimmed
    }

    private var isList: Bool { self.is(ArrayTypeSyntax.self) || name == "Array" || name == "Set" }

    private var modelName: String? {
        guard let name, genericArguments == nil, name != "Reference", name != "Related",
            !Self.valueTypes.contains(name)
        else { return nil }
        return trimmedDescription
    }

    private static let valueTypes: Set<String> = [
        "String", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Double", "Float", "Decimal", "Date", "CalendarDate", "UUID", "Data", "URL",
    ]
}

/// A reason that values of a type cannot be stored, as far as its spelling tells, and an alternative.
struct FieldTypeProblem {
    let reason: String
    /// The type to write instead, if an obvious one exists.
    var replacement: String?
}

extension TypeSyntax {
    /// The problem with storing values of the type; nil for types that can be stored.
    ///
    /// It is also nil for types whose spelling tells nothing. The compiler checks those.
    var fieldProblem: FieldTypeProblem? {
        switch self.as(TypeSyntaxEnum.self) {
        case .optionalType(let optional): optional.wrappedType.problemInOptional
        case .implicitlyUnwrappedOptionalType(let optional): optional.wrappedType.problemInOptional
        case .attributedType(let attributed): attributed.baseType.fieldProblem
        case .tupleType(let tuple):
            // A tuple of one element is a type in parentheses. `ModelPropertyReader` reports real tuples.
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

extension ExprSyntax {
    /// The default type of a literal, or the type of a common value whose text tells it; nil for any other expression,
    /// because a macro cannot know its type.
    var literalType: TypeSyntax? {
        switch trimmedDescription {
        case "Date()", "Date.now": return "Date"
        case "UUID()": return "UUID"
        case "CalendarDate.today": return "CalendarDate"
        default: break
        }
        return switch self.as(ExprSyntaxEnum.self) {
        case .stringLiteralExpr: "Swift.String"
        case .integerLiteralExpr: "Swift.Int"
        case .floatLiteralExpr: "Swift.Double"
        case .booleanLiteralExpr: "Swift.Bool"
        case .prefixOperatorExpr(let negative) where negative.operator.text == "-": negative.expression.literalType
        default: nil
        }
    }

    /// The type that an initializer call probably creates, such as `Date` in `Date()`. An initializer may also
    /// return an optional.
    var constructedType: String? {
        guard let call = self.as(FunctionCallExprSyntax.self) else { return nil }
        let name = call.calledExpression.trimmedDescription
        // The result of `Animal.make()` is unknown: only the name of the method is visible.
        let isType = name.split(separator: ".").allSatisfy { $0.first?.isUppercase == true }
        return isType && !name.isEmpty && !name.contains("\n") ? name : nil
    }
}
