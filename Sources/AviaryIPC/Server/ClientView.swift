import AviaryDomain

/// How a client sees the store's records: it may know fewer properties, and in another order.
struct ClientView: Sendable {
    /// For each model that it sees otherwise, where its properties are among the store's; nil for one that the store has not.
    private let columns: [String: [Int?]]

    /// Nil when the client sees what the store sees.
    init?(_ client: SchemaSummary, in schema: Schema) {
        var columns: [String: [Int?]] = [:]
        for (name, properties) in client.models {
            guard let model = schema.model(name) else { continue }
            let own = properties.map { model.storedIndex(of: $0.name) }
            if own != model.storedProperties.indices.map(Optional.some) { columns[name] = own }
        }
        guard !columns.isEmpty else { return nil }
        self.columns = columns
    }

    /// A conflict shows a record as it is now, in the order of the store's properties.
    func error(_ error: StoreError) -> StoreError {
        guard case .conflict(let model, let record) = error, let columns = columns[model] else { return error }
        let values = columns.map { index in
            index.flatMap { $0 < record.values.count ? record.values[$0] : nil } ?? .null
        }
        return .conflict(model: model, current: Record(id: record.id, version: record.version, values: values))
    }
}
