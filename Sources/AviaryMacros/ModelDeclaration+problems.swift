import SwiftDiagnostics
import SwiftSyntax

extension ModelDeclaration {
    /// What stands against properties that are each well by themselves.
    static func problems(among properties: [ModelProperty], of model: TokenSyntax) -> [Diagnostic] {
        originalNameProblems(among: properties) + inverseProblems(among: properties, of: model)
    }

    private static func originalNameProblems(among properties: [ModelProperty]) -> [Diagnostic] {
        var originals: Set<String> = []
        return properties.flatMap { property in
            property.options.compactMap { option in
                guard option.name == AttributeOptionKind.originalName.rawValue, let original = option.text,
                    !original.isEmpty
                else { return nil }
                let problem: ModelProblem
                // SQLite does not mind the case of a column's name.
                if properties.contains(where: { $0.name.lowercased() == original.lowercased() }) {
                    problem = .originalNameInUse(original)
                } else if !originals.insert(original.lowercased()).inserted {
                    problem = .repeatedOriginalName(original)
                } else {
                    return nil
                }
                return problem.diagnostic(at: option.element.expression, fixIts: [.remove(option)].compactMap { $0 })
            }
        }
    }

    /// Of relations of the model to itself: only of these both sides are in sight.
    private static func inverseProblems(among properties: [ModelProperty], of model: TokenSyntax) -> [Diagnostic] {
        var named: [String: ModelProperty] = [:]
        return properties.compactMap { property in
            guard property.type.relatedModel == model.identifier?.name, let (argument, inverse) = property.inverse
            else { return nil }
            guard let other = properties.first(where: { $0.name == inverse }) else {
                return ModelProblem.unknownInverse(inverse, model: model.text).diagnostic(at: argument.expression)
            }
            if named[property.name] != nil, let earlier = named[property.name], earlier.name == other.name {
                return ModelProblem.inverseOnBothSides(property.name, other.name)
                    .diagnostic(at: argument, fixIts: [.removeArgument(argument)].compactMap { $0 })
            }
            named[other.name] = property
            return nil
        }
    }
}

extension ModelProperty {
    /// The argument of `@Relationship` that names the other side, and the property's name.
    fileprivate var inverse: (LabeledExprSyntax, String)? {
        guard let argument = relationship?.first(where: { $0.label?.text == "inverse" }),
            let keyPath = argument.expression.as(KeyPathExprSyntax.self), keyPath.components.count == 1,
            let component = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self),
            let name = component.declName.baseName.identifier?.name
        else { return nil }
        return (argument, name)
    }
}
