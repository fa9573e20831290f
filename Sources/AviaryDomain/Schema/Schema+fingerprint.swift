extension Schema {
    /// What the store compares with the file that it opens: one line a property, then one a many-to-many relation.
    package var summary: [String] { propertyLines + relationLines }

    /// One line a property that is stored.
    package var propertyLines: [String] {
        models.sorted { $0.name < $1.name }.flatMap { model in
            model.storedProperties.map { property in
                "\(model.name).\(property.name) \(property.type.name)"
                    + (property.isOptional ? "?" : "")
                    + (property.isUnique ? " unique" : "")
            }
        }
    }

    private var relationLines: [String] {
        links.map { SchemaSummary.Relation($0).line }.sorted()
    }

    /// Of the summary, in hexadecimal: tells one schema from another, guards nothing.
    package var fingerprint: String {
        var hash = FNV1a()
        for line in summary { hash.add(line + "\n") }
        return String(hash.value, radix: 16)
    }
}
