/// What somebody may do with the records of a model.
public enum ModelAction: String, Sendable, Hashable, Codable, CaseIterable {
    case view, add, edit, delete
}
