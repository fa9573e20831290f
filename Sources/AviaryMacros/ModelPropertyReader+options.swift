import SwiftDiagnostics
import SwiftSyntax

extension ModelPropertyReader {
    /// What stands against what `@Attribute` says of the property.
    func optionProblems(with property: ModelProperty, in variable: VariableDeclSyntax) -> [Diagnostic] {
        var names: Set<String> = []
        return property.options.compactMap { option in
            guard let name = option.name else { return nil }
            func diagnostic(_ problem: ModelProblem, _ fixIts: [FixIt]) -> Diagnostic {
                problem.diagnostic(at: option.element.expression, fixIts: fixIts)
            }
            guard let kind = AttributeOptionKind(rawValue: name) else {
                let known = AttributeOptionKind.nearest(to: name)
                let repair = option.nameToken.flatMap { token in known.map { FixIt.replace(token, with: $0.rawValue) } }
                return diagnostic(.unknownOption(name), repair.map { [$0] } ?? [])
            }
            if !names.insert(name).inserted {
                return diagnostic(.repeatedOption(name), [.remove(option, from: variable)])
            }
            if let type = property.type.unwrapped.name, !kind.fits(typeNamed: type) {
                return diagnostic(
                    .unfitOption(name, property.name, type: type, purpose: kind.purpose),
                    [.remove(option, from: variable)])
            }
            return mistake(in: option, kind).map { diagnostic($0, []) }
        }
    }

    private func mistake(in option: AttributeOptionSyntax, _ kind: AttributeOptionKind) -> ModelProblem? {
        switch kind {
        case .length, .range:
            guard let (lower, upper) = option.bounds else { return nil }
            if lower > upper { return .reversedRange(lower, upper) }
            return kind == .length && lower < 0 ? .negativeLength : nil
        case .pattern:
            guard let pattern = option.text else { return nil }
            // It is compiled here with the same library that matches texts later.
            return (try? Regex(pattern)) == nil ? .invalidPattern(pattern) : nil
        case .originalName: return option.text == "" ? .emptyOriginalName : nil
        case .scale:
            guard let digits = option.arguments?.first?.expression.trimmedDescription, let scale = Int(digits) else {
                return nil
            }
            return (0...18).contains(scale) ? nil : .scaleOutOfBounds(scale)
        case .unique, .required, .indexed, .secret, .fullText: return nil
        }
    }
}
