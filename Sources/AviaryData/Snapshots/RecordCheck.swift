import AviaryDomain

/// What a record must be by itself, whatever the others are.
struct RecordCheck {
    private let manifest: SnapshotManifest
    private var counts: [String: Int] = [:]
    // Kept between records: making one for each would take as long as the check.
    private var values: [String: FieldValue] = [:]

    init(_ manifest: SnapshotManifest) {
        self.manifest = manifest
    }

    /// - Throws: ``SnapshotError``.
    mutating func check(_ record: SnapshotRecord) throws(SnapshotError) {
        let model = record.table.model
        let expected = manifest.counts[model.name] ?? 0
        counts[model.name, default: 0] += 1
        // At once: a file that never ends must not fill the disk.
        if let count = counts[model.name], count > expected {
            throw SnapshotError(.wrongCount(model: model.name, expected: expected, found: count))
        }
        guard record.version <= manifest.commit else {
            throw SnapshotError(.malformedRecord("its version is later than the snapshot's commit."))
        }
        values.removeAll(keepingCapacity: true)
        for (property, value) in zip(model.storedProperties, record.values) { values[property.name] = value }
        if let problem = model.problems(in: values).first {
            throw SnapshotError(.invalid(model: model.name, property: problem.property, problem.message))
        }
    }
}
