import AviaryDomain
import Foundation
import NIOCore

/// A reader for the values that ``ByteBuffer``'s `write(wire:)` family writes.
///
/// Any byte may be wrong: the reader throws an error for input that does not fit.
struct WireReader {
    struct Malformed: Error {}

    private var buffer: ByteBuffer

    init(_ buffer: ByteBuffer) {
        self.buffer = buffer
    }

    var isAtEnd: Bool { buffer.readableBytes == 0 }
    var bytesLeft: Int { buffer.readableBytes }

    func finish() throws(Malformed) {
        guard isAtEnd else { throw Malformed() }
    }

    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Malformed) -> Number {
        guard let number = buffer.readInteger(as: Number.self) else { throw Malformed() }
        return number
    }

    /// Reads the number of elements that follow.
    ///
    /// Each takes at least one byte, so a wrong number cannot reserve more memory than was sent.
    mutating func count() throws(Malformed) -> Int {
        let count = Int(try integer(UInt32.self))
        guard count <= buffer.readableBytes else { throw Malformed() }
        return count
    }

    mutating func boolean() throws(Malformed) -> Bool {
        switch try integer(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw Malformed()
        }
    }

    mutating func text() throws(Malformed) -> String {
        let length = try count()
        do {
            guard let text = try buffer.readUTF8ValidatedString(length: length) else { throw Malformed() }
            return text
        } catch {
            throw Malformed()
        }
    }

    mutating func bytes() throws(Malformed) -> [UInt8] {
        guard let bytes = buffer.readBytes(length: try count()) else { throw Malformed() }
        return bytes
    }

    mutating func uuid() throws(Malformed) -> UUID {
        guard let (high, low) = buffer.readMultipleIntegers(as: (UInt64, UInt64).self) else { throw Malformed() }
        return UUID(high: high, low: low)
    }

    /// Returns all bytes that are left.
    mutating func rest() -> ByteBuffer {
        let rest = buffer
        buffer.clear()
        return rest
    }
}

extension ByteBuffer {
    mutating func write(wire text: String) {
        let start = writerIndex
        writeInteger(UInt32(0))
        setInteger(UInt32(writeString(text)), at: start)
    }

    mutating func write(wire bytes: [UInt8]) {
        writeInteger(UInt32(bytes.count))
        writeBytes(bytes)
    }

    mutating func write(wire id: UUID) {
        let (high, low) = id.words
        writeMultipleIntegers(high, low)
    }

    mutating func write(wire flag: Bool) {
        writeInteger(UInt8(flag ? 1 : 0))
    }
}

extension UUID {
    fileprivate init(high: UInt64, low: UInt64) {
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6),
                byte(low, 7)
            ))
    }

    fileprivate var words: (high: UInt64, low: UInt64) {
        withUnsafeBytes(of: uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
