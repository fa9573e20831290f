import SwiftSyntax

extension VariableDeclSyntax {
    var declaresIdentity: Bool {
        bindings.contains { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifier?.name == "id" }
    }

    /// The first of its properties that has no value when nobody gives it one.
    var bindingWithoutValue: PatternBindingSyntax? {
        bindings.first { binding in
            let isNilByItself = !isConstant && binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) == true
            return binding.isStored && binding.initializer == nil && !isNilByItself
        }
    }
}
