import AviaryDomain

/// What records of other models are called to somebody: by name, if they may be seen.
struct RelatedNames {
    let schema: Schema
    let principal: Principal

    func model(_ name: String) -> ModelSchema? {
        principal.may(.view, name) ? schema.model(name) : nil
    }

    func counted(_ name: String, _ count: Int) -> String {
        model(name)?.counted(count) ?? Words.otherRecords(count)
    }

    /// `3 animals and 2 other records`.
    func list(_ counts: [String: Int]) -> String {
        let named = counts.filter { model($0.key) != nil }.sorted { $0.key < $1.key }.map { counted($0.key, $0.value) }
        let others = counts.filter { model($0.key) == nil }.values.reduce(0, +)
        return Words.list(named + (others > 0 ? [Words.otherRecords(others)] : []))
    }
}
