import SwiftDiagnostics
import SwiftSyntax

extension ModelPropertyReader {
    func transientProblems(with variable: VariableDeclSyntax, markedBy mark: AttributeSyntax) -> [Diagnostic] {
        let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
        func unmarked(_ problem: ModelProblem) -> [Diagnostic] {
            [problem.diagnostic(at: mark, fixIts: [.remove(mark, from: variable)])]
        }
        if variable.declaresIdentity { return unmarked(.transientIdentity) }
        if !variable.bindings.contains(where: \.isStored) { return unmarked(.transientComputed(name)) }
        for other in ["Attribute", "Relationship"] {
            guard let attribute = variable.attribute(named: other) else { continue }
            return [
                ModelProblem.transientWithOther(name, other)
                    .diagnostic(
                        at: attribute, fixIts: [.remove(attribute, from: variable), .remove(mark, from: variable)])
            ]
        }
        guard let binding = variable.bindingWithoutValue else { return [] }
        return [
            ModelProblem.transientWithoutValue(binding.pattern.trimmedDescription)
                .diagnostic(at: binding, fixIts: [.addInitialValue(to: binding)])
        ]
    }
}
