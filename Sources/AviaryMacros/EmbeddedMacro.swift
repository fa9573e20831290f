package import SwiftDiagnostics
import SwiftParser
package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@Embedded`, which generates the JSON key of each property of a struct, the memberwise initializer of a
/// public one, and the conformance.
package struct EmbeddedMacro: MemberMacro, ExtensionMacro {
    package static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        switch EmbeddedDeclaration.read(declaration) {
        case .success(let embedded):
            for problem in embedded.initializer?.problems ?? declaration.untypedProperties { context.diagnose(problem) }
            for member in declaration.memberBlock.members {
                guard let (attribute, name) = member.decl.as(VariableDeclSyntax.self)?.modelAttribute else { continue }
                context.diagnose(Diagnostic(node: attribute, message: EmbeddedProblem.attribute(name)))
            }
            return [embedded.initializer?.declaration, embedded.table].compactMap { $0 }
        case .failure(let problem):
            let fixIts = declaration.as(ClassDeclSyntax.self).map { [FixIt.useStruct(for: $0)] } ?? []
            context.diagnose(Diagnostic(node: node, message: problem, fixIts: fixIts))
            return []
        }
    }

    package static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // The expansion that generates the members reports problems, so that each appears once.
        guard case .success(let embedded) = EmbeddedDeclaration.read(declaration) else { return [] }
        return [
            try ExtensionDeclSyntax("extension \(type.trimmed): Aviary.Embedded {\(raw: embedded.decoding ?? "")}")
        ]
    }
}

/// The declaration of a struct with `@Embedded`: the properties that its JSON contains, with their keys.
struct EmbeddedDeclaration {
    private let access: String
    private let properties: [EncodedProperty]
    /// The memberwise initializer to generate. It is nil for a struct that other modules cannot use, which has Swift's
    /// own, and for one that declares an initializer.
    let initializer: EmbeddedInitializer?

    static func read(_ declaration: some DeclGroupSyntax) -> Result<EmbeddedDeclaration, EmbeddedProblem> {
        guard declaration.is(StructDeclSyntax.self) else { return .failure(.notAStruct) }
        let members = declaration.memberBlock.members.map(\.decl)
        for member in members {
            if let name = member.codingMember { return .failure(.writtenByHand(name)) }
        }
        do {
            let keys = try members.lazy.compactMap { $0.as(EnumDeclSyntax.self) }.first {
                $0.name.text == "CodingKeys"
            }?.codingKeys()
            let access = declaration.modifiers.map(\.name.text).first { $0 == "public" || $0 == "package" }
            return .success(
                EmbeddedDeclaration(
                    access: access.map { $0 + " " } ?? "",
                    properties: members.flatMap(\.encodedProperties).compactMap { property in
                        guard let keys else { return property }
                        guard let key = keys[property.key] else { return nil }
                        var property = property
                        property.caseName = property.key
                        property.key = key
                        return property
                    },
                    initializer: access.flatMap { EmbeddedInitializer(members, access: $0) }
                ))
        } catch {
            return .failure(error)
        }
    }

    // A computed property: a struct may contain properties of its own type, and a generic struct cannot have static
    // stored properties.
    var table: DeclSyntax {
        let lines = properties.map { property in
            let standard = property.initialValue.map { ", default: \($0)" }
            return
                "        Aviary.EmbeddedProperty(\\Self.\(property.identifier), \"\(property.key)\"\(standard ?? "")),"
        }
        return """
            \(raw: access)static var embeddedProperties: [Aviary.EmbeddedProperty] {
                [
            \(raw: lines.joined(separator: "\n"))
                ]
            }
            """
    }
}

extension EmbeddedDeclaration {
    /// The initializer that decodes a struct whose properties have initial values, for JSON of before they were added; nil for
    /// one that Swift's own initializer decodes as well.
    fileprivate var decoding: String? {
        guard properties.contains(where: \.isReadIfPresent) else { return nil }
        let required = properties.filter { $0.initialValue == nil }.map {
            "        self.\($0.identifier) = try Aviary.EmbeddedProperty.value(of: .\($0.caseName), in: values)"
        }
        let others = properties.filter(\.isReadIfPresent).map {
            "        try Aviary.EmbeddedProperty.read(&self.\($0.identifier), of: .\($0.caseName), in: values)"
        }
        return """

                \(access)init(from decoder: any Swift.Decoder) throws {
                    let values = try decoder.container(keyedBy: CodingKeys.self)
            \((required + others).joined(separator: "\n"))
                }

            """
    }
}

/// A stored property of an embedded struct that its JSON contains.
private struct EncodedProperty {
    let identifier: String
    /// The case of the coding keys.
    var caseName: String
    var key: String
    let initialValue: ExprSyntax?
    let isConstant: Bool

    /// Indicates whether the property keeps its initial value where the JSON has none. A constant with an initial value is never
    /// decoded.
    var isReadIfPresent: Bool { initialValue != nil && !isConstant }
}

/// The memberwise initializer of an embedded struct that other modules use. Swift's own is never public.
struct EmbeddedInitializer {
    let declaration: DeclSyntax?
    private(set) var problems: [Diagnostic] = []

    /// Creates the initializer; nil for a struct that declares one, or whose properties only Swift itself can list.
    init?(_ members: [DeclSyntax], access: String) {
        guard !members.contains(where: { $0.is(InitializerDeclSyntax.self) || $0.hasConditionalProperty }) else {
            return nil
        }
        var parameters: [String] = [], assignments: [String] = []
        for variable in members.compactMap({ $0.as(VariableDeclSyntax.self) }) {
            guard !variable.isStatic, !variable.isLazy else { continue }
            guard variable.foreignAttribute == nil else { return nil }
            var type: TypeSyntax?
            var found: [(parameter: String, assignment: String)] = []
            // In `var a, b: Int`, the annotation of the last name applies to all names before it.
            for binding in variable.bindings.reversed() where binding.isStored {
                let value = binding.initializer?.value.trimmed
                type = binding.typeAnnotation?.type.trimmed ?? (value == nil ? type : nil)
                if variable.isConstant, value != nil { continue }
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.trimmed.text else {
                    return nil
                }
                guard let type = type ?? value?.literalType else {
                    problems.append(
                        Diagnostic(
                            node: binding.pattern, message: EmbeddedProblem.unknownType(name),
                            fixIts: [.annotateType(of: binding)]))
                    continue
                }
                let isNilByItself = !variable.isConstant && type.isOptional
                let standard = value.map { " = \($0)" } ?? (isNilByItself ? " = nil" : "")
                found.append(("\(name): \(type)\(standard)", "    self.\(name) = \(name)"))
            }
            parameters += found.reversed().map(\.parameter)
            assignments += found.reversed().map(\.assignment)
        }
        guard problems.isEmpty else {
            declaration = nil
            return
        }
        declaration = """
            \(raw: access) init(\(raw: parameters.joined(separator: ", "))) {
            \(raw: assignments.joined(separator: "\n"))
            }
            """
    }
}

extension DeclGroupSyntax {
    /// The problems of variables with an initial value whose type only the compiler can tell.
    ///
    /// The compiler then asks for the type while it looks for the initializer that the macro writes, and finds neither.
    fileprivate var untypedProperties: [Diagnostic] {
        memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
            .filter { !$0.isStatic && !$0.isLazy && !$0.isConstant && $0.foreignAttribute == nil }
            .flatMap { $0.bindings.filter(\.isStored) }
            .compactMap { binding in
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.trimmed.text,
                    let value = binding.initializer?.value.trimmed, binding.typeAnnotation == nil,
                    value.literalType == nil
                else { return nil }
                return Diagnostic(
                    node: binding.pattern, message: EmbeddedProblem.unknownType(name),
                    fixIts: [.annotateType(of: binding)])
            }
    }
}

extension DeclSyntax {
    fileprivate var hasConditionalProperty: Bool { self.as(IfConfigDeclSyntax.self)?.firstStoredProperty != nil }

    /// The name of a member that implements the coding by hand; nil for any other member.
    fileprivate var codingMember: String? {
        if let function = self.as(FunctionDeclSyntax.self), function.name.text == "encode",
            function.signature.parameterClause.parameters.first?.firstName.text == "to"
        {
            return "encode(to:)"
        }
        if let initializer = self.as(InitializerDeclSyntax.self),
            initializer.signature.parameterClause.parameters.map(\.firstName.text) == ["from"]
        {
            return "init(from:)"
        }
        return nil
    }

    /// The stored properties that Swift's synthesized coding includes.
    fileprivate var encodedProperties: [EncodedProperty] {
        guard let variable = self.as(VariableDeclSyntax.self), !variable.isStatic, !variable.isLazy,
            variable.foreignAttribute == nil
        else { return [] }
        return variable.bindings.filter(\.isStored).compactMap { binding in
            guard let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.trimmed else { return nil }
            let name = token.identifier?.name ?? token.text
            return EncodedProperty(
                identifier: token.text, caseName: token.text, key: name,
                initialValue: binding.initializer?.value.trimmed, isConstant: variable.isConstant)
        }
    }
}

extension EnumDeclSyntax {
    /// Returns the raw value of each case, by the name of the case.
    fileprivate func codingKeys() throws(EmbeddedProblem) -> [String: String] {
        var keys: [String: String] = [:]
        for member in memberBlock.members {
            guard let cases = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
            for element in cases.elements {
                let name = element.name.identifier?.name ?? element.name.text
                guard let value = element.rawValue?.value else {
                    keys[name] = name
                    continue
                }
                guard let literal = value.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
                    !literal.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline })
                else { throw .unknownKey(name) }
                keys[name] = literal
            }
        }
        return keys
    }
}

/// A problem with the declaration of an embedded struct. The message says what to do next.
package enum EmbeddedProblem: Error, Hashable, DiagnosticMessage {
    case notAStruct
    case writtenByHand(String)
    case unknownKey(String)
    case unknownType(String)
    /// An attribute that only a property of a model can have.
    case attribute(String)

    package var severity: DiagnosticSeverity { .error }

    package var diagnosticID: MessageID {
        MessageID(domain: "AviaryMacros", id: "embedded-" + String("\(self)".prefix { $0 != "(" }))
    }

    package var message: String {
        switch self {
        case .notAStruct:
            "@Embedded can only be attached to a struct"
        case .writtenByHand(let member):
            "'\(member)' decides about the JSON, which @Embedded cannot read; conform to Embedded and list 'embeddedProperties' yourself"
        case .unknownKey(let name):
            "the coding key of '\(name)' has to be a plain text for @Embedded to know it"
        case .attribute("Transient"):
            "@Transient has no effect on a property of an @Embedded struct; leave the property out of 'CodingKeys'"
        case .attribute(let name):
            "@\(name) has no effect on a property of an @Embedded struct; check its value in the model's 'validate()'"
        case .unknownType(let name):
            "'\(name)' needs a type annotation: @Embedded cannot tell the type of its initial value"
        }
    }
}
