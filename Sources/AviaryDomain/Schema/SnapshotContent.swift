/// The part of a model's records that a snapshot contains.
package enum SnapshotContent: Sendable, Hashable {
    /// All values but secrets, which are there only when they are asked for.
    case withoutSecrets
    /// All values: the records are worth nothing without their secrets.
    case everything
    /// No records, because they only concern this server at this time. A restore leaves the model's records unchanged.
    case nothing
}
