/// Who asks.
enum Person: String, CaseIterable, Sendable {
    case nobody, viewer, editor, admin
    /// Was an admin until just now.
    case disabled
}

/// What a form's request proves of where it comes from.
enum Proof: String, CaseIterable, Sendable {
    case right, none, anotherSessions, crossSite
}
