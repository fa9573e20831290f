/// An error that reports a model of this program that does not fit the store's file, so that its records could be
/// misread.
///
/// ```swift
/// do {
///     let animals = try await store.repository(for: Animal.self)
/// } catch let error as ModelMismatch {
///     print(error.properties)  // ["weight"]
/// }
/// ```
public struct ModelMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the model.
    public let model: String
    /// The names of the properties that differ; empty when the file does not have the model.
    public let properties: [String]
    /// The reasons, one sentence for each property.
    let reasons: [String]

    /// The differences and what to do about them.
    public var description: String {
        (reasons.isEmpty ? "\(model) is not a model of the store's file." : reasons.joined(separator: " "))
            + " Declare the model as the program that serves the store does, or start that program in its newer version first."
    }
}

extension ModelMismatch {
    /// Checks that a model of a program can read and write the records of a file.
    ///
    /// The model may have fewer properties than the file; the program then reads and writes only those.
    ///
    /// - Throws: ``ModelMismatch`` that names every property whose values the model could not hold.
    package static func check(_ model: ModelSchema, against file: SchemaSummary) throws(ModelMismatch) {
        guard file.models[model.name] != nil else {
            throw ModelMismatch(model: model.name, properties: [], reasons: [])
        }
        var properties: [String] = [], reasons: [String] = []
        for property in model.storedProperties {
            guard let reason = property.mismatch(with: file.property(property.name, of: model.name)) else { continue }
            properties.append(property.name)
            reasons.append("\(model.name).\(property.name) \(reason)")
        }
        for property in model.properties where !property.type.isStored {
            // A relation without an inverse cannot be queried. Other code reports it.
            guard case .links(let path, let other)? = try? model.relation(at: property.keyPath),
                let reason = file.relation(path.name)?.mismatch(with: path, to: other.schema.name)
            else { continue }
            properties.append(property.name)
            reasons.append("\(model.name).\(property.name) \(reason)")
        }
        guard properties.isEmpty else {
            throw ModelMismatch(model: model.name, properties: properties, reasons: reasons)
        }
    }
}

extension SchemaSummary.Relation {
    fileprivate func mismatch(with path: LinkPath, to other: String) -> String? {
        let found = path.isInverse ? model : target
        if found != other { return "links to \(other) in this program and to \(found) in the file." }
        guard let isSymmetric, isSymmetric != path.isSymmetric else { return nil }
        return isSymmetric
            ? "is its own inverse in the file." : "is its own inverse in this program and not in the file."
    }
}

extension PropertySchema {
    fileprivate func mismatch(with stored: SchemaSummary.Property?) -> String? {
        guard let stored else { return "is not in the store's file." }
        if let known = type.choices(comparedWith: stored.type), let found = stored.type.choices(comparedWith: type) {
            let unknown = found.filter { !known.contains($0) }
            if !unknown.isEmpty {
                return "can be \(TextFormatter.list(unknown)) in the file, which this program does not know."
            }
        } else if type != stored.type {
            return "is \(type.name) in this program and \(stored.type.name) in the file."
        }
        return stored.isOptional && !isOptional ? "may be nil in the file and not in this program." : nil
    }
}
