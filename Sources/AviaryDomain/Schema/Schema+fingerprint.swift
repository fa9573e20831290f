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

    /// 64 bits of FNV-1a over the summary, in hexadecimal: tells one schema from another, guards nothing.
    package var fingerprint: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for line in summary {
            for byte in Array(line.utf8) + [10] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return String(hash, radix: 16)
    }
}
