/// The properties of a model that an export writes, in their order.
package struct ExportedProperties: Sendable {
    package enum Source: Sendable, Hashable {
        /// The value at an index of the model's stored properties.
        case value(index: Int)
        /// The links of a many-to-many property.
        case links
    }

    package let all: [(property: PropertySchema, source: Source)]

    /// Creates the list of a model's properties to export.
    ///
    /// In CSV, only the model that declares a relation contains its links, so that the models can be imported one after
    /// the other.
    ///
    /// - Parameter hidden: The names of properties that are left out.
    package init(
        of model: ModelSchema, in schema: Schema, as format: ExportFormat, leavingOut hidden: Set<String> = []
    ) {
        all = model.properties.compactMap { property in
            guard !property.isSecret, !hidden.contains(property.name) else { return nil }
            if let index = model.storedIndex(of: property.name) { return (property, .value(index: index)) }
            guard let link = schema.link(property.name, of: model.name), format == .jsonl || !link.isInverse else {
                return nil
            }
            return (property, .links)
        }
    }
}
