/// What the browsers do, as shares of a hundred.
package enum Scenario: String, Sendable, CaseIterable {
    case add, browse, mixed

    private static let mixture: [(share: Int, action: Action)] = [
        (25, .add), (45, .browse), (13, .edit), (8, .delete), (6, .cancelDraft), (3, .refusedAdd),
    ]

    /// The action for a number drawn from 0..<100.
    func action(_ drawn: Int) -> Action {
        switch self {
        case .add: return .add
        case .browse: return .browse
        case .mixed:
            var rest = drawn
            for (share, action) in Self.mixture {
                if rest < share { return action }
                rest -= share
            }
            return .browse
        }
    }
}

/// One thing that a person does.
enum Action: Sendable, Hashable {
    case add, browse, edit, delete
    /// Types something, lets it be kept as a draft, and cancels.
    case cancelDraft
    /// Saves a form that breaks a rule: it must be refused and leave nothing.
    case refusedAdd
}
