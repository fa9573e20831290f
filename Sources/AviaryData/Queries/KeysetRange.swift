import AviaryDomain
import Foundation

/// A part of a list that is one range of the sort index. Nulls come first in the index.
///
/// "Everything after this record" consists of several ranges, which run one after the other until the page is full.
/// An OR of them would read the whole index, and so would a row value, (a, b) > (?, ?), with a collation.
enum KeysetRange: Hashable {
    /// The whole index.
    case all
    /// The nulls beyond an id.
    case nulls(beyond: UUID)
    case allNulls
    /// The same value beyond an id.
    case same(FieldValue, beyond: UUID)
    case values(beyond: FieldValue)
    case allValues
}

extension KeysetRange {
    /// Returns the ranges after the position, in the order in which the index is walked.
    ///
    /// - Parameter upwards: Indicates whether the index is walked in its own order.
    static func ranges(beyond position: KeysetPosition?, upwards: Bool) -> [KeysetRange] {
        guard let position else { return [.all] }
        switch (position.value.isNull, upwards) {
        case (true, true): return [.nulls(beyond: position.id), .allValues]
        case (true, false): return [.nulls(beyond: position.id)]
        case (false, true): return [.same(position.value, beyond: position.id), .values(beyond: position.value)]
        case (false, false):
            return [.same(position.value, beyond: position.id), .values(beyond: position.value), .allNulls]
        }
    }

    var isOfNulls: Bool {
        switch self {
        case .nulls, .allNulls: true
        case .all, .same, .values, .allValues: false
        }
    }
}

extension FieldValue {
    /// Indicates whether a column sorts the value before the other, which must be of the same column.
    ///
    /// Numbers are compared by their size, texts by their bytes.
    func precedes(_ other: FieldValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }
}
