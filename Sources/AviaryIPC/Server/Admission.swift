import AviaryDomain

/// Whether a client may write, by what it says of itself.
struct Admission: Sendable {
    let schema: Schema

    enum Decision: Sendable {
        /// With how it sees records, where that is not as the store does.
        case welcome(ClientView?)
        case refused(String)
    }

    /// An older client is as good as an equal one when only additions lie between: what it does not name gets its default.
    func decide(_ client: ClientIdentity) -> Decision {
        guard !client.schema.isEmpty, client.schema != schema.summary else { return .welcome(nil) }
        let summary = SchemaSummary(lines: client.schema)
        let difference = SchemaDifference(from: summary, to: schema)
        guard difference.kind <= .additive else {
            let subjects = difference.changes.filter { $0.kind > .additive }.map(\.subject)
            let list = Words.list(
                Array(subjects.prefix(5)) + (subjects.count > 5 ? ["\(subjects.count - 5) more"] : []))
            return .refused("its models are not those of this process (\(list)). Let both run the same program.")
        }
        return .welcome(ClientView(summary, in: schema))
    }
}
