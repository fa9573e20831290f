import AviaryDomain

/// How a narrowed list is read so that the work for a page is bounded. Either the list is walked in its order and each record
/// looked at: quick when many match. Or the index of one condition finds all that can match, and they are sorted: quick when
/// they are few. Which it is the indexes are asked themselves: statistics of the engine's would be as old as their last run.
///
/// How far a walk has to go nobody knows beforehand: where the names of an airline's flights begin with its code, all of them
/// are in one place of the list, and it may be the last. So a walk has an end, and behind it the matches are collected.
struct ListPlan: Sendable {
    enum Way: Sendable, Hashable {
        case walk
        /// By the condition at this place.
        case collect(Int)
    }

    let way: Way
    /// The condition by which the records are collected where a walk takes too long; nil where none has an index.
    let leader: Int?
    /// Whether an index has found no more than ``MatchCount/mostCounted`` that can match.
    let findsFew: Bool
    /// Where finding the way has told it.
    let matches: MatchCount?

    /// - Parameters:
    ///   - found: For each condition how many records its index finds, up to one more than ``MatchCount/mostCounted``; nil
    ///     where it has none or where that is not known.
    ///   - total: All records of the model.
    ///   - size: Of the page.
    init(found: [Int?], total: Int, size: Int) {
        let few = found.enumerated().compactMap { index, count in
            count.flatMap { $0 <= MatchCount.mostCounted ? (index: index, count: $0) : nil }
        }.min { $0.count < $1.count }
        if found.count == 1, case .some(let count?) = found.first {
            matches = count <= MatchCount.mostCounted ? .exactly(count) : .atLeast(MatchCount.mostCounted)
        } else {
            matches = few?.count == 0 ? .exactly(0) : nil
        }
        findsFew = few != nil
        leader = few?.index ?? found.firstIndex { $0 != nil }
        guard let few else {
            way = .walk
            return
        }
        // Walking, a page's worth of matches that are spread evenly is found among so many records: size * total / count.
        let isQuickerToWalk = found.count == 1 && few.count * few.count > size * total
        way = isQuickerToWalk ? .walk : .collect(few.index)
    }
}
