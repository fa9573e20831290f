import AviaryDomain

/// The effects of a delete on rows, with the delete rules resolved.
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

    /// Links of rows that go, by a side that does not simply let them go.
    struct Links {
        let side: LinkSide
        let pairs: [Link]
    }

    /// The number of requested records that exist.
    var requested = 0
    /// Found one after the other, so in reverse order no row goes before those that refer to it (but for cycles).
    var deletions: [Rows] = []
    var nullifications: [Referrers] = []
    /// A delete rule forbids it while these are there.
    var denials: [Referrers] = []
    /// Left to the check at the end of the change set.
    var unresolved: [Referrers] = []
    var cascades: [String: Int] = [:]

    /// Links between rows that both go, of sides that would not let them go alone.
    var endedLinks: [Links] = []
    var deniedLinks: [Links] = []
    var unresolvedLinks: [Links] = []
    /// Rows that stay and lose links, by model.
    var unlinked: [String: Set<Int64>] = [:]

    /// The error of the first delete rule that forbids the delete.
    var denial: StoreError? {
        if let denial = denials.first {
            return .deleteDenied(model: denial.key.target, referencedBy: denial.key.model, count: denial.rows.count)
        }
        return deniedLinks.first.map { $0.denial(count: $0.pairs.count) }
    }

    var plan: DeletePlan {
        var nullified: [String: Set<Int64>] = [:]
        for referrers in nullifications where !referrers.rows.isEmpty {
            nullified[referrers.key.model, default: []].formUnion(referrers.rows)
        }
        return DeletePlan(
            requested: requested, cascades: cascades, nullifies: nullified.mapValues(\.count),
            unlinks: unlinked.mapValues(\.count)
        )
    }
}

extension DeleteResolution.Links {
    func denial(count: Int) -> StoreError {
        .deleteDenied(model: side.end.own.model, referencedBy: side.end.other.model, count: count)
    }
}
