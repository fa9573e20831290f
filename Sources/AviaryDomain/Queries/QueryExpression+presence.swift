extension QueryExpression {
    /// Returns the expressions that cannot be nil where this condition holds, or does not hold, so that a forced unwrap
    /// is safe.
    func present(when outcome: Bool) -> Set<QueryExpression> {
        switch self {
        case .not(let condition): condition.present(when: !outcome)
        case .and(let left, let right) where outcome: left.present(when: true).union(right.present(when: true))
        case .or(let left, let right) where !outcome: left.present(when: false).union(right.present(when: false))
        case .equal(let left, .constant(let value)), .equal(.constant(let value), let left):
            value.isNull == outcome ? [] : [left]
        default: []
        }
    }
}
