import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Reads a struct's members and collects its stored properties, and what stands against storing them.
///
/// A property that is wrong is left out and the others are kept, so that one mistake gives one error.
struct ModelPropertyReader {
    private(set) var properties: [ModelProperty] = []
    private(set) var diagnostics: [Diagnostic] = []

    mutating func read(_ member: DeclSyntax) {
        if let variable = member.as(VariableDeclSyntax.self) {
            read(variable)
        } else if let conditional = member.as(IfConfigDeclSyntax.self), let property = conditional.firstStoredProperty {
            diagnostics.append(ModelProblem.conditionalProperty.diagnostic(at: property))
        }
    }

    private mutating func read(_ variable: VariableDeclSyntax) {
        guard !variable.isStatic else { return }
        if let mark = variable.attribute(named: "Transient") {
            diagnostics += transientProblems(with: variable, markedBy: mark)
            // An id is stored whatever is said of it.
            guard variable.declaresIdentity else { return }
        }
        // In `var a, b: Int` the annotation is on the last name and holds for all before it.
        var type: TypeSyntax?
        var found: [(PatternBindingSyntax, TypeSyntax?)] = []
        for binding in variable.bindings.reversed() {
            type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
            if binding.isStored { found.append((binding, type)) }
        }
        for (binding, type) in found.reversed() {
            read(binding, annotatedAs: type?.trimmed, in: variable)
        }
    }

    private mutating func read(
        _ binding: PatternBindingSyntax, annotatedAs annotation: TypeSyntax?, in variable: VariableDeclSyntax
    ) {
        guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.trimmed else {
            diagnostics.append(ModelProblem.tuple.diagnostic(at: binding.pattern))
            return
        }
        let initialValue = binding.initializer?.value.trimmed
        guard let type = annotation ?? initialValue?.literalType ?? identity(identifier) else {
            diagnostics.append(
                ModelProblem.unknownType(identifier.text).diagnostic(
                    at: binding.pattern, fixIts: [.annotateType(of: binding)]
                ))
            return
        }
        let property = ModelProperty(
            identifier: identifier, type: type, initialValue: initialValue,
            options: variable.attribute(named: "Attribute")?.labeledArguments?.map(AttributeOptionSyntax.init) ?? [],
            relationship: variable.attribute(named: "Relationship")?.labeledArguments
        )
        if let diagnostic = problem(with: property, in: variable) {
            diagnostics.append(diagnostic)
        } else {
            diagnostics += optionProblems(with: property, in: variable)
        }
        // A constant without a value is still assigned by the initializers.
        guard !variable.isConstant || initialValue == nil, !variable.isLazy else { return }
        properties.append(property)
    }

    /// The type of an `id` needs no annotation: a model can have only one.
    private func identity(_ identifier: TokenSyntax) -> TypeSyntax? {
        identifier.identifier?.name == "id" ? "Aviary.RecordID<Self>" : nil
    }
}
