import SwiftSyntax
import SwiftSyntaxBuilder

extension ExprSyntax {
    /// The type that Swift gives a literal of its own accord; nil for any other expression, whose type
    /// a macro cannot know.
    var literalType: TypeSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .stringLiteralExpr: "Swift.String"
        case .integerLiteralExpr: "Swift.Int"
        case .floatLiteralExpr: "Swift.Double"
        case .booleanLiteralExpr: "Swift.Bool"
        case .prefixOperatorExpr(let negative) where negative.operator.text == "-": negative.expression.literalType
        default: nil
        }
    }

    /// `Date` in `Date()`, most likely: an initializer may also give an optional.
    var constructedType: String? {
        guard let call = self.as(FunctionCallExprSyntax.self) else { return nil }
        let name = call.calledExpression.trimmedDescription
        // Of `Animal.make()` only the method is known, not what it gives.
        let isType = name.split(separator: ".").allSatisfy { $0.first?.isUppercase == true }
        return isType && !name.isEmpty && !name.contains("\n") ? name : nil
    }
}
