/// Makes what a draft holds smaller.
package protocol DraftCompression: Sendable {
    func compressed(_ bytes: [UInt8]) -> [UInt8]?
    /// Returns the bytes that ``compressed(_:)`` was given; nil for other bytes, and for a result above the limit.
    func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]?
}
