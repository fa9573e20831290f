import SwiftSyntax
import SwiftSyntaxBuilder

// Everything is written with its module's name and with Self, so that no name of the user's gets in the way.
extension ModelDeclaration {
    var members: [DeclSyntax] {
        var members: [DeclSyntax] = []
        if !declaresIdentity { members.append(identityDeclaration) }
        if !declaresInitializer { members.append(memberwiseInitializer) }
        members += [schemaDeclaration, readingInitializer, bindingFunction]
        return members
    }

    /// Without an initial value where only our own initializers assign it: making an id takes time, and the one
    /// that a record is read with would replace it at once.
    private var identityDeclaration: DeclSyntax {
        let initialValue = declaresInitializer ? " = Aviary.RecordID()" : ""
        return "\(raw: access)var id: Aviary.RecordID<Self>\(raw: initialValue)"
    }

    private var memberwiseInitializer: DeclSyntax {
        let parameters = (properties.filter { !$0.isIdentity } + [identity]).compactMap(\.parameter)
        return """
            \(raw: access)init(\(raw: parameters.joined(separator: ", "))) {
            \(raw: lines(allProperties.map(\.assignment)))
            }
            """
    }

    private var schemaDeclaration: DeclSyntax {
        """
        \(raw: access)static let schema = Aviary.ModelSchema(
            Self.self,
            [
        \(raw: lines(properties.filter { !$0.isIdentity }.map { "        \($0.definition)," }))
            ]\(raw: groupArguments)
        )
        """
    }

    private var groupArguments: String {
        func argument(_ label: String, _ kind: PropertyGroup.Kind) -> String {
            let found = groups.filter { $0.kind == kind }.map(\.code)
            return found.isEmpty ? "" : ",\n    \(label): [\(found.joined(separator: ", "))]"
        }
        return argument("uniqueConstraints", .unique) + argument("indexes", .index)
    }

    private var readingInitializer: DeclSyntax {
        """
        \(raw: access)init(from reader: inout Aviary.FieldReader) throws {
        \(raw: lines(allProperties.map { "    self.\($0.identifier) = try reader.next(\"\($0.name)\")" }))
        }
        """
    }

    private var bindingFunction: DeclSyntax {
        """
        \(raw: access)func bind(to writer: inout Aviary.FieldWriter) {
        \(raw: lines(allProperties.map { "    writer.bind(self.\($0.identifier))" }))
        }
        """
    }

    private var declaresIdentity: Bool { properties.contains(where: \.isIdentity) }
    private var identity: ModelProperty { properties.first(where: \.isIdentity) ?? .addedIdentity }
    private var allProperties: [ModelProperty] { properties + (declaresIdentity ? [] : [.addedIdentity]) }

    private func lines(_ lines: [String]) -> String { lines.joined(separator: "\n") }
}
