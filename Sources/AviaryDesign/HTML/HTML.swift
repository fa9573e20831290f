/// An append-only buffer of UTF-8 HTML.
///
/// Markup comes from the program's own literals; data enters only through `text`, which escapes it.
package struct HTML: Sendable {
    /// What has been written so far.
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 64 * 1024) {
        bytes.reserveCapacity(capacity)
    }

    /// Appends trusted markup; `StaticString` lets only compile-time literals in.
    @inline(__always)
    package mutating func literal(_ markup: StaticString) {
        markup.withUTF8Buffer { append($0) }
    }

    @inline(__always)
    mutating func append(_ run: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: run)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }
}
