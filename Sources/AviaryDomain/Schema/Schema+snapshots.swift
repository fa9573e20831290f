extension Schema {
    /// The models of which snapshots hold records.
    package var snapshotModels: [ModelSchema] { models.filter { $0.snapshotContent != .nothing } }

    /// The many-to-many relations of which snapshots hold links.
    package var snapshotLinks: [LinkRelation] {
        let names = Set(snapshotModels.map(\.name))
        return links.filter { names.contains($0.source.model) && names.contains($0.target.model) }
    }

    /// A Boolean value that indicates whether a snapshot leaves out secrets unless they are requested.
    package var withholdsSecrets: Bool {
        models.contains { $0.snapshotContent == .withoutSecrets && $0.properties.contains(where: \.isSecret) }
    }
}
