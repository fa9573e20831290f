import Crypto
import Foundation

/// A reader of the lines of a compressed file, in bounded memory.
struct LineReader {
    static let leastLimit = 16 << 20
    private static let initialSize = 1 << 18

    /// The buffer that contains the current line.
    private(set) var buffer = [UInt8](repeating: 0, count: initialSize)
    /// The number of the current line, from 1.
    private(set) var number = 0
    private let gzip: GzipReader
    /// The maximum length of the next line, in bytes. A longer line is rejected.
    var lengthLimit: Int
    private var next = 0
    private var filled = 0
    private var isAtEnd = false

    /// Creates a reader.
    ///
    /// - Parameter lengthLimit: The maximum length of a line, in bytes.
    init(_ gzip: GzipReader, lengthLimit: Int = leastLimit) {
        self.gzip = gzip
        self.lengthLimit = max(lengthLimit, Self.initialSize)
    }

    /// Returns the range of the next line in ``buffer``, without its line feed; nil after the last line.
    mutating func nextLine() throws -> Range<Int>? {
        var searched = next
        while true {
            if let end = lineFeed(from: searched) {
                defer { next = end + 1 }
                number += 1
                return next..<end
            }
            searched = filled - next
            guard try fill() else { break }
        }
        guard next < filled else { return nil }
        defer { next = filled }
        number += 1
        return next..<filled
    }

    /// Checks that nothing follows the last line.
    ///
    /// - Throws: ``SnapshotError`` if any data, compressed or not, follows it.
    mutating func finish() throws {
        let following: Range<Int>?
        do {
            following = try nextLine()
        } catch let error as SnapshotError {
            // Bad data after a complete member never was a part of it.
            throw gzip.isBehindMember ? SnapshotError(.afterEnd) : error
        }
        guard following == nil, !gzip.endsInEmptyMember else { throw SnapshotError(.afterEnd) }
    }

    /// Adds the line with its line feed to a hash.
    func hash(_ line: Range<Int>, into hash: inout SHA256) {
        buffer.withUnsafeBytes { bytes in
            hash.update(
                bufferPointer: UnsafeRawBufferPointer(
                    rebasing: bytes[line.lowerBound..<min(line.upperBound + 1, filled)]))
        }
    }

    private func lineFeed(from start: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            let rest = bytes[min(start, filled)..<filled]
            guard let address = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let found = memchr(address, 10, rest.count)
            else { return nil }
            return start + (UnsafeRawPointer(found) - address)
        }
    }

    /// Makes room for the longest line.
    ///
    /// Bytes behind `filled` are never read and stay uninitialized: the system provides memory only for what was
    /// filled. A buffer that grows in steps would need the memory of two long lines while it is copied.
    private mutating func makeRoom() {
        let old = buffer
        buffer = Array(unsafeUninitializedCapacity: lengthLimit) { bytes, count in
            _ = bytes.initialize(fromContentsOf: old)
            count = lengthLimit
        }
    }

    /// Moves the incomplete line to the front of the buffer and reads more after it; false at the end.
    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        if next > 0 {
            buffer.withUnsafeMutableBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: bytes[..<(filled - next)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[next..<filled]))
            }
            filled -= next
            next = 0
        }
        if filled == buffer.count {
            guard buffer.count < lengthLimit else { throw SnapshotError(.lineTooLong, line: number + 1) }
            makeRoom()
        }
        // The whole buffer is filled only by a line that needs it.
        let end = min(filled + Self.initialSize, buffer.count)
        let count = try buffer.withUnsafeMutableBytes { bytes in
            try gzip.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled..<end]))
        }
        filled += count
        isAtEnd = count == 0
        return !isAtEnd
    }
}
