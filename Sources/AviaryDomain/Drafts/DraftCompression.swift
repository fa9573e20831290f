/// Makes what a draft holds smaller.
package protocol DraftCompression: Sendable {
    func compressed(_ bytes: [UInt8]) -> [UInt8]?
    /// Nil for what ``compressed(_:)`` has not made, and for what would become longer than the limit.
    func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]?
}
