/// An append-only buffer of UTF-8 HTML.
///
/// Markup comes from the program's own literals; data enters only through `text`, which escapes it.
package struct HTML: Sendable {
    /// What has been written so far.
    package private(set) var bytes: [UInt8] = []
    /// Whether there was more to write than may be; then nothing was written from there on.
    package private(set) var isCutOff = false
    private let limit: Int

    /// Longer than any page that somebody could read: a form of the largest size is in it, with its text escaped.
    package static let usualLimit = 8 * 1024 * 1024

    /// - Parameter limit: In bytes.
    package init(capacity: Int = 64 * 1024, limit: Int = HTML.usualLimit) {
        self.limit = limit
        bytes.reserveCapacity(capacity)
    }

    /// Appends trusted markup; `StaticString` lets only compile-time literals in.
    @inline(__always)
    package mutating func literal(_ markup: StaticString) {
        markup.withUTF8Buffer { append($0) }
    }

    @inline(__always)
    mutating func append(_ run: UnsafeBufferPointer<UInt8>) {
        guard hasRoom(for: run.count) else { return }
        bytes.append(contentsOf: run)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard hasRoom(for: 1) else { return }
        bytes.append(byte)
    }

    @inline(__always)
    private mutating func hasRoom(for count: Int) -> Bool {
        if isCutOff || count > limit - bytes.count { isCutOff = true }
        return !isCutOff
    }
}
