/// A record in the file.
struct StoredAnimal: Hashable {
    let name: String
    let version: String
}

/// The states that the records of a caller may have, according to the answers that the caller received.
struct AllowedStates {
    private typealias State = [String: (name: String, commit: Int64?)]

    /// The state after the last acknowledged step and those after each later step.
    private var states: [State] = [[:]]

    /// - Parameter acknowledged: The steps that were acknowledged when the file was read, if that was before the end.
    init(of steps: [Int: LedgerText.Step], acknowledged: Set<Int>? = nil) {
        for (number, step) in steps.sorted(by: { $0.key < $1.key }) where !step.isWrong {
            let isAcknowledged = acknowledged?.contains(number) ?? step.isAcknowledged
            let state = Self.state(after: step, states.last ?? [:])
            states = isAcknowledged ? [state] : states + [state]
        }
    }

    /// Returns the difference from the first allowed state, or nil if the records match an allowed state.
    func difference(from stored: [String: StoredAnimal]) -> String? {
        if states.contains(where: { Self.matches(stored, $0) }) { return nil }
        let wanted = states.first ?? [:]
        let missing = wanted.filter { stored[$0.key]?.name != $0.value.name }.map(\.value.name).sorted()
        let surplus = stored.filter { wanted[$0.key] == nil }.map(\.value.name).sorted()
        return "missing or different \(missing), not acknowledged \(surplus), of \(wanted.count)"
    }

    private static func state(after step: LedgerText.Step, _ before: State) -> State {
        var state = before
        for effect in step.effects {
            let parts = effect.dropFirst().split(separator: "=", maxSplits: 1).map(String.init)
            if effect.hasPrefix("+"), parts.count == 2 {
                state[parts[0]] = (parts[1], step.commits.first)
            } else if effect.hasPrefix("-") {
                state[parts[0]] = nil
            }
        }
        return state
    }

    private static func matches(_ stored: [String: StoredAnimal], _ state: State) -> Bool {
        stored.count == state.count
            && stored.allSatisfy { id, animal in
                guard let expected = state[id], expected.name == animal.name else { return false }
                return expected.commit.map { String($0) == animal.version } ?? true
            }
    }
}
