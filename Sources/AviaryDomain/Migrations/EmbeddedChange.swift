/// A difference between the properties of an embedded struct in a program and in a file.
///
/// The file has the struct as JSON, so that nothing changes in its tables. A change is refused if the program could not read
/// the stored structs, or would remove a value with the next save of a record.
package struct EmbeddedChange: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A new property that has a value in every stored struct: its initial value, or nil.
        case added
        case addedWithoutValue
        /// A property that the program does not have, and new properties of the same type.
        case missing(similar: [String])
        /// A property that the caller permits to lose.
        case dropped
        case typeChanged(from: String, to: String)
        case widened(from: String, to: String)
        case becameMandatory
        case becameOptional
        case choicesAdded([String])
        case choicesMissing([String])
    }

    /// The model, the property with the struct, and the keys in its JSON: `Keeper.address.city`.
    let subject: String
    let what: Kind

    var kind: SchemaDifference.Kind {
        switch what {
        // A program with the older struct reads the newer one, and removes what it does not know when it saves.
        case .added, .dropped, .widened, .becameOptional, .choicesAdded: .exclusive
        case .addedWithoutValue, .missing, .typeChanged, .becameMandatory, .choicesMissing: .refused
        }
    }

    var droppableNames: Set<String> {
        switch what {
        case .missing, .dropped: [subject]
        default: []
        }
    }

    var step: String? {
        switch what {
        case .added: "add \(subject), which has its initial value in the records that are there"
        case .dropped: "stop reading \(subject): a record loses its value when it is saved"
        case .widened(let old, let new): "let \(subject), which was \(old), be \(new)"
        case .becameOptional: "let \(subject) be empty"
        case .choicesAdded(let choices): "add \(TextFormatter.list(choices)) to the choices of \(subject)"
        case .addedWithoutValue, .missing, .typeChanged, .becameMandatory, .choicesMissing: nil
        }
    }

    var refusal: String? {
        switch what {
        case .addedWithoutValue:
            "\(subject) is new, and the records that are there have no value for it. Give it an initial value, or make it "
                + "optional."
        case .missing(let similar):
            "\(subject) is in the file and not in the program, and records would lose its values when they are saved. Declare "
                + "it again"
                + (similar.isEmpty
                    ? ""
                    : "; if \(similar.joined(separator: " or ")) is its new name, keep the key in the JSON with CodingKeys: "
                        + "case \(similar[0]) = \"\(subject.split(separator: ".").last ?? "")\"")
                + "; or give the values up: migrate --drop \(subject)."
        case .typeChanged(let old, let new):
            "\(subject) is \(old) in the file and \(new) in the program, which could not read the records that are there. Keep "
                + "it as it was, and add a new property beside it."
        case .becameMandatory:
            "\(subject) may be empty in the file and not in the program. Keep it optional, or give it an initial value."
        case .choicesMissing(let choices):
            "\(subject) no longer has the choice \(TextFormatter.list(choices)), which records may hold. Declare it "
                + "again, or write a migration plan that converts \(subject.split(separator: ".").first ?? "")."
        case .added, .dropped, .widened, .becameOptional, .choicesAdded: nil
        }
    }
}

extension EmbeddedChange {
    /// Returns the changes of a struct.
    ///
    /// - Parameters:
    ///   - old: The parts of the file; empty if an older version of the library wrote it, which recorded none.
    ///   - property: The property that has the struct.
    ///   - dropped: The names of parts that may be lost.
    static func changes(
        from old: [SchemaSummary.Property], to property: PropertySchema, of model: String, dropping dropped: Set<String>
    ) -> [EmbeddedChange] {
        let new = property.embeddedParts
        guard !old.isEmpty, !new.isEmpty else { return [] }
        let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        func change(_ name: String, _ what: Kind) -> EmbeddedChange {
            EmbeddedChange(subject: "\(model).\(property.name).\(name)", what: what)
        }
        var changes: [EmbeddedChange] = []
        // A part of a struct that is missing or new as a whole is not a change of its own.
        let added = new.filter { before[$0.name] == nil && hasStruct(of: $0.name, in: before) }
        for part in old where after[part.name] == nil && hasStruct(of: part.name, in: after) {
            let similar = added.filter { $0.type == part.type }.map {
                $0.name.split(separator: ".").last.map(String.init) ?? ""
            }
            let mayGo = dropped.contains("\(model).\(property.name).\(part.name)")
            changes.append(change(part.name, mayGo ? .dropped : .missing(similar: similar)))
        }
        changes += added.map { change($0.name, $0.hasValueWhenMissing ? .added : .addedWithoutValue) }
        for part in new {
            guard let known = before[part.name] else { continue }
            changes += differences(from: known, to: part).map { change(part.name, $0) }
        }
        return changes
    }

    /// Indicates whether the other version has the struct that contains a part.
    private static func hasStruct(of name: String, in other: [String: some Sendable]) -> Bool {
        name.lastIndex(of: ".").map { other[String(name[..<$0])] != nil } ?? true
    }

    private static func differences(from old: SchemaSummary.Property, to new: EmbeddedPart) -> [Kind] {
        var kinds: [Kind] = []
        if let before = old.type.choices(comparedWith: new.type), let after = new.type.choices(comparedWith: old.type) {
            let missing = before.filter { !after.contains($0) }, added = after.filter { !before.contains($0) }
            if !missing.isEmpty { kinds.append(.choicesMissing(missing)) }
            if !added.isEmpty { kinds.append(.choicesAdded(added)) }
        } else if old.type != new.type {
            let isWider = PropertyType.array(of: new.type).widening(from: .array(of: old.type)) != nil
            kinds.append(
                isWider
                    ? .widened(from: old.type.name, to: new.type.name)
                    : .typeChanged(from: old.type.name, to: new.type.name))
        }
        switch (old.isOptional, new.isOptional) {
        case (true, false) where !new.hasValueWhenMissing: kinds.append(.becameMandatory)
        case (false, true): kinds.append(.becameOptional)
        default: break
        }
        return kinds
    }
}

/// A property in the JSON of an embedded struct, also of one inside another.
struct EmbeddedPart: Sendable {
    /// The keys in the JSON: `guardian.phone`.
    let name: String
    let type: PropertyType
    let isOptional: Bool
    let hasValueWhenMissing: Bool
}

extension PropertySchema {
    /// The depth of structs in structs that is recorded. A struct may contain others of its own type.
    private static let greatestDepth = 4

    /// The parts of the embedded struct; empty for another type.
    var embeddedParts: [EmbeddedPart] { Self.parts(embeddedProperties ?? [], below: "", depth: 1) }

    private static func parts(_ properties: [EmbeddedProperty], below prefix: String, depth: Int) -> [EmbeddedPart] {
        properties.flatMap { property in
            let name = prefix + property.key
            let part = EmbeddedPart(
                name: name, type: property.type, isOptional: property.isOptional,
                hasValueWhenMissing: property.isOptional || property.hasInitialValue)
            guard depth < greatestDepth else { return [part] }
            return [part] + parts(property.properties, below: name + ".", depth: depth + 1)
        }
    }
}

extension Schema {
    /// The description of the embedded structs, in the form of ``summary``: `Keeper.address.city string`.
    ///
    /// It is apart from the summary because the tables and the protocol between processes do not depend on it.
    package var embeddedLines: [String] {
        models.sorted { $0.name < $1.name }.flatMap { model in
            model.storedProperties.flatMap { property in
                property.embeddedParts.map { part in
                    "\(model.name).\(property.name).\(part.name) \(part.type.name)" + (part.isOptional ? "?" : "")
                }
            }
        }
    }
}
