import AviaryDomain

/// What a delete does, down to the rows: the delete rules resolved.
struct DeleteResolution {
    struct Rows {
        let table: ModelTable
        let rows: [Int64]
    }

    struct Referrers {
        let key: ForeignKey
        let table: ModelTable
        let rows: [Int64]
    }

    /// Those asked for that exist.
    var requested = 0
    /// Found one after the other, so in reverse order no row goes before those that refer to it (but for cycles).
    var deletions: [Rows] = []
    var nullifications: [Referrers] = []
    /// A delete rule forbids it while these are there.
    var denials: [Referrers] = []
    /// Left to the check at the end of the change set.
    var unresolved: [Referrers] = []
    var cascades: [String: Int] = [:]

    var plan: DeletePlan {
        var nullified: [String: Set<Int64>] = [:]
        for referrers in nullifications where !referrers.rows.isEmpty {
            nullified[referrers.key.model, default: []].formUnion(referrers.rows)
        }
        return DeletePlan(requested: requested, cascades: cascades, nullifies: nullified.mapValues(\.count))
    }
}
