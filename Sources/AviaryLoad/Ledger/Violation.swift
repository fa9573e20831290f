/// A promise that was not kept.
package struct Violation: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
        /// Acknowledged, or there before, and missing.
        case lost
        /// Stored twice.
        case duplicated
        /// Deleted, acknowledged, and there.
        case resurrected
        /// Refused or cancelled, and there.
        case orphaned
        /// An acknowledged edit is not there.
        case reverted
        /// An edit was overwritten by one whose author had not seen it.
        case overwritten
        /// Nobody asked for it.
        case foreign
        /// The list does not agree with itself.
        case inconsistent
        /// An answer, or the lack of one, that nothing in the run accounts for.
        case unexpected
    }

    package let kind: Kind
    /// The record's id, where there is one.
    package let record: String?
    package let text: String
}
