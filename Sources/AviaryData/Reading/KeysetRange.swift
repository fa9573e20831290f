import AviaryDomain
import Foundation

/// A part of a list that is one range of the sort index. Nulls come first in the index.
///
/// "Everything after this record" can be two ranges, nulls and values: run one after the other, because the OR that
/// would join them reads the whole index.
enum KeysetRange: Hashable {
    /// The whole index.
    case all
    /// The nulls beyond an id.
    case nulls(beyond: UUID)
    case allNulls
    /// The values beyond a value and id.
    case values(beyond: FieldValue, UUID)
    case allValues
}

extension KeysetRange {
    /// The ranges beyond the position, in the order in which the index is walked.
    ///
    /// - Parameter upwards: Whether the index is walked in its own order.
    static func ranges(beyond position: KeysetPosition?, upwards: Bool) -> [KeysetRange] {
        guard let position else { return [.all] }
        switch (position.value.isNull, upwards) {
        case (true, true): return [.nulls(beyond: position.id), .allValues]
        case (true, false): return [.nulls(beyond: position.id)]
        case (false, true): return [.values(beyond: position.value, position.id)]
        case (false, false): return [.values(beyond: position.value, position.id), .allNulls]
        }
    }
}
