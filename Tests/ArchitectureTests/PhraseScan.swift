import SwiftParser
import SwiftSyntax

/// A phrase of the program, from a call `localized("…")` in a source file.
struct FoundPhrase: Hashable {
    /// The key of the phrase, with `%@` for every variable part.
    let key: String
    /// Indicates whether the phrase has plural forms.
    let isPlural: Bool
}

/// The phrases of a Swift source file, and the calls without a literal phrase. A phrase must be a literal at its
/// lookup.
struct PhraseScan: Sendable {
    let phrases: Set<FoundPhrase>
    /// The lines of the calls whose argument is not a literal.
    let unreadable: [Int]

    init(_ source: String) {
        let visitor = PhraseVisitor(source)
        phrases = visitor.phrases
        unreadable = visitor.unreadable
    }
}

private final class PhraseVisitor: SyntaxVisitor {
    private(set) var phrases: Set<FoundPhrase> = []
    private(set) var unreadable: [Int] = []
    private let converter: SourceLocationConverter

    init(_ source: String) {
        let tree = Parser.parse(source: source)
        converter = SourceLocationConverter(fileName: "", tree: tree)
        super.init(viewMode: .sourceAccurate)
        walk(tree)
    }

    override func visit(_ call: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "localized" else {
            return .visitChildren
        }
        let arguments = Array(call.arguments)
        let isPlural = arguments.contains { $0.label?.text == "other" }
        let texts = isPlural ? arguments.filter { $0.label != nil } : arguments
        for argument in texts {
            guard let literal = argument.expression.as(StringLiteralExprSyntax.self) else {
                unreadable.append(converter.location(for: call.position).line)
                continue
            }
            if !isPlural || argument.label?.text == "other" {
                phrases.insert(FoundPhrase(key: literal.key, isPlural: isPlural))
            }
        }
        return .visitChildren
    }
}

extension StringLiteralExprSyntax {
    fileprivate var key: String {
        segments.map { segment in
            switch segment {
            case .stringSegment(let text): Self.unescaped(text.content.text)
            case .expressionSegment: "%@"
            }
        }.joined()
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing(#"\""#, with: "\"").replacing(#"\n"#, with: "\n").replacing(#"\\"#, with: #"\"#)
    }
}
