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
}
