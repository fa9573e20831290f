import SwiftParser
import SwiftSyntax

/// One option of `@Attribute`, as it is written in the source.
struct AttributeOptionSyntax {
    let element: LabeledExprSyntax
    /// `length` of `.length(1...80)`; nil where it is something that only the compiler understands.
    let name: String?
    let arguments: LabeledExprListSyntax?

    init(_ element: LabeledExprSyntax) {
        self.element = element
        // As SwiftData writes it.
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

    /// As an element of the set that the schema takes.
    var code: String {
        guard let label = element.label?.text else { return element.expression.trimmedDescription }
        return ".\(label)(\(element.expression.trimmedDescription))"
    }

    /// The name of the option, where it can be changed.
    var nameToken: TokenSyntax? {
        let call = element.expression.as(FunctionCallExprSyntax.self)
        return (call?.calledExpression ?? element.expression).as(MemberAccessExprSyntax.self)?.declName.baseName
    }

    /// The text of the first argument, if it is a plain literal.
    var text: String? {
        arguments?.first?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    /// The whole numbers of the range that is the first argument.
    var bounds: (lower: Int, upper: Int)? {
        // Operators are not folded in the syntax that a macro is given.
        let parts: [ExprSyntax]
        if let range = arguments?.first?.expression.as(SequenceExprSyntax.self) {
            parts = Array(range.elements)
        } else if let range = arguments?.first?.expression.as(InfixOperatorExprSyntax.self) {
            parts = [range.leftOperand, range.operator, range.rightOperand]
        } else {
            return nil
        }
        guard parts.count == 3, parts[1].trimmedDescription == "...", let lower = parts[0].wholeNumber,
            let upper = parts[2].wholeNumber
        else { return nil }
        return (lower, upper)
    }
}

extension ExprSyntax {
    fileprivate var wholeNumber: Int? {
        let isWritten = self.is(IntegerLiteralExprSyntax.self) || self.is(PrefixOperatorExprSyntax.self)
        return isWritten ? Int(trimmedDescription.filter { $0 != "_" }) : nil
    }
}
