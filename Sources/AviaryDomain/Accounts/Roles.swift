/// The roles of an application: the three that are always there, and its own.
package struct Roles: Sendable {
    package let all: [Role]

    private static let builtIn: [Role] = [.viewer, .editor, .admin]

    /// - Throws: ``RoleError`` for a name that is none or is there twice, or a model that the admin does not show.
    package init(_ own: [Role] = [], models: Set<String> = []) throws(RoleError) {
        // One of the three may come back with a required second factor, and takes the place of the one without.
        let stricter = Set(Self.builtIn.map { $0.requiringSecondFactor() }).intersection(own)
        all =
            Self.builtIn.map { role in stricter.first { $0.name == role.name } ?? role }
            + own.filter { !stricter.contains($0) }
        var names: Set<String> = []
        for role in all {
            guard Self.isName(role.name) else {
                throw RoleError(
                    role: role.name,
                    reason: "has a name that is none. Use up to 40 lower-case letters, digits and hyphens.")
            }
            guard names.insert(role.name).inserted else {
                throw RoleError(
                    role: role.name,
                    reason: "is there twice. Give one of them another name; viewer, editor and admin are always there.")
            }
            if let unknown = role.models.subtracting(models).sorted().first {
                throw RoleError(
                    role: role.name,
                    reason:
                        "names \(unknown), which the admin does not show. Register it with ModelAdmin(\(unknown).self)."
                )
            }
            for rule in role.propertyRules {
                if let problem = role.problem(with: rule) { throw RoleError(role: role.name, reason: problem) }
            }
        }
    }

    package func role(_ name: String) -> Role? {
        all.first { $0.name == name }
    }

    /// Returns a Boolean value that indicates whether a text is a valid name of a role, in this program or another.
    package static func isName(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension Role {
    /// What is wrong with a rule of a property, and what to change.
    fileprivate func problem(with rule: PropertyRule) -> String? {
        let verb = rule.isHidden ? "hides" : "makes read-only"
        guard !rule.property.isEmpty else {
            return "\(verb) what is no property of \(rule.model). Name what the model stores or is related to."
        }
        let name = "\(rule.model).\(rule.property)"
        if rule.isHidden, rule.isTitle {
            return
                "hides \(name), by which people know the records. Hide the model by allowing nothing on it, or show \(name)."
        }
        if rule.isNeeded, allows(.add, on: rule.model) {
            return
                "\(verb) \(name), which must have a value and has no default: it could add no record. Give \(name) a default, or do not allow .add."
        }
        return nil
    }
}

/// A mistake in the declaration of a ``Role``.
package struct RoleError: Error, Sendable, Hashable, CustomStringConvertible {
    package let role: String
    package let reason: String

    package var description: String { "The role \"\(role)\" \(reason)" }
}
