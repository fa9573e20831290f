extension Schema {
    /// The description of the schema that the store compares with the file that it opens: one line for each property,
    /// then one for each many-to-many relation.
    package var summary: [String] { propertyLines + relationLines }

    /// The lines of the summary for stored properties, one for each.
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

    /// The hash of the summary in hexadecimal. It distinguishes one schema from another and is no protection.
    package var fingerprint: String {
        var hash = FNV1a()
        for line in summary { hash.add(line + "\n") }
        return String(hash.value, radix: 16)
    }
}
