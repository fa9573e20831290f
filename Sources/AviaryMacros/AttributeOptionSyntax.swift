import SwiftParser
import SwiftSyntax

/// An option of `@Attribute` as it appears in the source.
struct AttributeOptionSyntax {
    let element: LabeledExprSyntax
    /// The name of the option, such as `length` in `.length(1...80)`; nil for an expression that only the compiler
    /// understands.
    let name: String?
    let arguments: LabeledExprListSyntax?

    init(_ element: LabeledExprSyntax) {
        self.element = element
        // A labelled argument, in SwiftData's notation: `originalName: "…"`.
        if let label = element.label?.text {
            name = label
            arguments = [LabeledExprSyntax(expression: element.expression.trimmed)]
            return
        }
        let call = element.expression.as(FunctionCallExprSyntax.self)
        let member = (call?.calledExpression ?? element.expression).as(MemberAccessExprSyntax.self)
        name = member?.declName.baseName.identifier?.name
        arguments = call?.arguments
    }

    /// The option as an element of the set that the schema takes.
    var code: String {
        guard let label = element.label?.text else { return element.expression.trimmedDescription }
        return ".\(label)(\(element.expression.trimmedDescription))"
    }

    /// The token of the option's name, which a fix-it can replace; nil when there is none.
    var nameToken: TokenSyntax? {
        let call = element.expression.as(FunctionCallExprSyntax.self)
        return (call?.calledExpression ?? element.expression).as(MemberAccessExprSyntax.self)?.declName.baseName
    }

    /// The token of `..<` in the first argument; nil for any other argument.
    var halfOpenOperator: TokenSyntax? {
        arguments?.first?.expression.tokens(viewMode: .sourceAccurate).first { $0.text == "..<" }
    }

    /// The text of the first argument if it is a plain string literal; otherwise nil.
    var text: String? {
        arguments?.first?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    /// The bounds of the range that is the first argument; nil unless both are integer literals.
    var bounds: (lower: Int, upper: Int, isHalfOpen: Bool)? {
        // A macro receives syntax in which operators are not folded.
        let parts: [ExprSyntax]
        if let range = arguments?.first?.expression.as(SequenceExprSyntax.self) {
            parts = Array(range.elements)
        } else if let range = arguments?.first?.expression.as(InfixOperatorExprSyntax.self) {
            parts = [range.leftOperand, range.operator, range.rightOperand]
        } else {
            return nil
        }
        guard parts.count == 3, ["...", "..<"].contains(parts[1].trimmedDescription),
            let lower = parts[0].wholeNumber, let upper = parts[2].wholeNumber
        else { return nil }
        return (lower, upper, parts[1].trimmedDescription == "..<")
    }
}

extension ExprSyntax {
    fileprivate var wholeNumber: Int? {
        let isWritten = self.is(IntegerLiteralExprSyntax.self) || self.is(PrefixOperatorExprSyntax.self)
        return isWritten ? Int(trimmedDescription.filter { $0 != "_" }) : nil
    }
}

/// The options of `@Attribute` and the types that they apply to.
enum AttributeOptionKind: String, CaseIterable {
    case unique, required, indexed, secret, fullText, notFullText, originalName, scale, length, range, pattern

    /// Indicates whether the option applies to a type of this name. It is true for names that only the compiler
    /// knows.
    func fits(typeNamed type: String) -> Bool {
        guard Self.knownTypes.contains(type) else { return true }
        return switch self {
        case .unique, .required, .indexed, .originalName: true
        case .secret, .fullText, .notFullText, .length, .pattern: type == "String"
        case .range: Self.numbers.contains(type)
        case .scale: type == "Decimal"
        }
    }

    var purpose: String {
        switch self {
        case .unique, .required, .indexed, .originalName: "stored properties"
        case .secret, .fullText, .notFullText, .length, .pattern: "a String"
        case .range: "a number"
        case .scale: "a Decimal"
        }
    }

    /// Returns the option that bounds values of the type as this one bounds values of another; nil when there is none.
    func counterpart(forTypeNamed type: String) -> AttributeOptionKind? {
        switch self {
        case .length: Self.numbers.contains(type) ? .range : nil
        case .range: type == "String" ? .length : nil
        default: nil
        }
    }

    /// Returns the option that the author probably meant by a misspelled name; nil when no option is similar.
    static func nearest(to name: String) -> AttributeOptionKind? {
        if let other = otherWords[name.lowercased()] { return other }
        let found = allCases.map { (kind: $0, distance: distance(name.lowercased(), $0.rawValue.lowercased())) }
        return found.min { $0.distance < $1.distance }.flatMap { $0.distance <= 2 ? $0.kind : nil }
    }

    private static let otherWords: [String: AttributeOptionKind] = [
        "index": .indexed, "search": .fullText, "searchable": .fullText, "spotlight": .fullText, "password": .secret,
        "notnull": .required, "regex": .pattern, "renamed": .originalName, "maxlength": .length,
    ]
    /// The advice for the options of SwiftData that no option here replaces, by their names.
    static let adviceForSwiftData: [String: String] = [
        "externalStorage":
            "a Data of up to 64 KiB is stored with its record; leave the option out, and keep larger files in a file system",
        "preserveValueOnDeletion": "the history keeps the values of deleted records; leave the option out",
        "allowsCloudEncryption": "no value leaves the server; leave the option out",
        "transformable": "a Codable struct is stored as JSON; leave the option out",
        "ephemeral": "mark the property @Transient instead",
    ]
    /// The numbers of which none is the last before a bound.
    static let fractions: Set<String> = ["Double", "Float", "Decimal"]
    private static let numbers = fractions.union([
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ])
    private static let knownTypes = numbers.union([
        "String", "Bool", "Date", "CalendarDate", "UUID", "Data", "URL", "Reference",
    ])

    /// Returns the edit distance: the number of letters to add, remove or change.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var previous = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let change = previous + (letter == other ? 0 : 1)
                previous = row[j + 1]
                row[j + 1] = min(change, previous + 1, row[j] + 1)
            }
        }
        return row.last ?? 0
    }
}
