/// An action on the records of a model, which a ``Role`` can allow.
public enum ModelAction: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reading records.
    case view
    /// Creating records.
    case add
    /// Changing records.
    case edit
    /// Deleting records.
    case delete
}
