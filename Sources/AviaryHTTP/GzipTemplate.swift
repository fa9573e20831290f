import CZlib
package import NIOCore

/// A page that is compressed once with gzip, for responses that differ in one repeated text of a fixed length.
///
/// The text is a form's token, which is different in each response. Its first occurrence is a stored block (RFC 1951,
/// section 3.2.4); all others are references to the first. A response is therefore a copy of the same bytes with another
/// stored block and another checksum:
///
/// ```swift
/// let template = GzipTemplate(["<input value=\"", "\">"], gap: 86)
/// let response = template?.compressed(with: token)
/// ```
///
/// The compressed size does not depend on the text, so it reveals nothing about it.
package struct GzipTemplate: Sendable {
    private var page: ByteBuffer
    /// The position of the stored text in the page.
    private let position: Int
    private let checksum: UInt32
    /// The factor by which a difference of the text changes the checksum, as a polynomial.
    private let factor: UInt32
    private let placeholder: [UInt8]

    /// The size of the compressed page in bytes.
    package var size: Int { page.readableBytes }

    /// Compresses a page.
    ///
    /// - Parameters:
    ///   - parts: The parts of the page between the occurrences of the text, at least two.
    ///   - gap: The length of the text in bytes, 1 to 128.
    /// - Returns: nil if zlib cannot represent the page in this form. The caller then compresses each response.
    package init?(_ parts: [ByteBuffer], gap: Int) {
        guard let first = parts.first, parts.count > 1, (1...128).contains(gap),
            let stream = RawDeflateStream(level: .quick)
        else { return nil }
        // Bytes that occur in no page: zlib could otherwise refer to a piece of the text that is not in all texts.
        placeholder = (0..<UInt8(gap)).map { 0x80 + $0 }
        var page = ByteBuffer(bytes: Self.header)
        guard stream.append(first, flush: Z_SYNC_FLUSH, to: &page) else { return nil }
        page.writeBytes([0, UInt8(gap), 0, ~UInt8(gap), 0xFF])
        position = page.writerIndex
        page.writeBytes(placeholder)
        guard stream.skip(placeholder) else { return nil }
        for (index, part) in parts.enumerated().dropFirst() {
            if index > 1 {
                guard stream.append(ByteBuffer(bytes: placeholder), flush: Z_NO_FLUSH, to: &page) else { return nil }
            }
            let isLast = index == parts.count - 1
            guard stream.append(part, flush: isLast ? Z_FINISH : Z_NO_FLUSH, to: &page) else { return nil }
        }
        var tail = 0, factor: UInt32 = 0
        for part in parts.dropFirst().reversed() {
            tail += part.readableBytes
            factor ^= ChecksumPolynomial.power(ofBytes: tail)
            tail += gap
        }
        let text = Self.text(parts, placeholder)
        checksum = Self.checksum(of: text.readableBytesView)
        self.factor = factor
        page.writeInteger(checksum, endianness: .little)
        page.writeInteger(UInt32(truncatingIfNeeded: text.readableBytes), endianness: .little)
        self.page = page
        // Another text shows whether all of its occurrences are references.
        let probe = [UInt8](repeating: 0x20, count: gap)
        guard Gzip.contains(Self.text(parts, probe), compressed(with: probe)) else { return nil }
    }

    /// Returns the compressed page with a text.
    ///
    /// - Parameter text: The text; it has the length of the gap.
    package func compressed(with text: some Collection<UInt8>) -> ByteBuffer {
        precondition(text.count == placeholder.count)
        var page = page
        page.setBytes(text, at: position)
        // The checksum is linear: two texts of the same length change it by the difference of their own.
        let difference = Self.checksum(of: text) ^ Self.checksum(of: placeholder)
        page.setInteger(
            checksum ^ ChecksumPolynomial.product(difference, factor), at: page.writerIndex - 8, endianness: .little)
        return page
    }

    /// The header of gzip without a name and a time (RFC 1952, section 2.3).
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    private static func text(_ parts: [ByteBuffer], _ gap: [UInt8]) -> ByteBuffer {
        var text = ByteBuffer()
        for (index, part) in parts.enumerated() {
            if index > 0 { text.writeBytes(gap) }
            text.writeImmutableBuffer(part)
        }
        return text
    }

    private static func checksum(of bytes: some Collection<UInt8>) -> UInt32 {
        UInt32(
            truncatingIfNeeded: Array(bytes).withUnsafeBufferPointer {
                crc32(0, $0.baseAddress, UInt32(clamping: $0.count))
            })
    }
}

/// Arithmetic with the polynomials of CRC-32 (ISO 3309), modulo the generator. The highest bit is the constant term.
private enum ChecksumPolynomial {
    private static let generator: UInt32 = 0xEDB8_8320
    private static let one: UInt32 = 1 << 31

    static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var product: UInt32 = 0, right = right, bit = one
        while bit != 0 {
            if left & bit != 0 { product ^= right }
            right = right & 1 == 0 ? right >> 1 : right >> 1 ^ generator
            bit >>= 1
        }
        return product
    }

    /// Returns x to the power of eight times a number: the factor of the bytes before so many others.
    static func power(ofBytes count: Int) -> UInt32 {
        var result = one, square: UInt32 = one >> 8, count = count
        while count > 0 {
            if count & 1 == 1 { result = product(result, square) }
            square = product(square, square)
            count >>= 1
        }
        return result
    }
}

/// A stream of compressed data without a frame.
private final class RawDeflateStream {
    // zlib's state refers to the address of the stream.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init?(level: Gzip.Level) {
        stream.initialize(to: z_stream())
        guard aviary_raw_deflate_init(stream, level.rawValue) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses bytes and appends the output.
    func append(_ input: ByteBuffer, flush: Int32, to output: inout ByteBuffer) -> Bool {
        // zlib's bound is for one call; a flush adds at most a few bytes.
        let bound = Int(deflateBound(stream, UInt(input.readableBytes))) + 64
        return input.withUnsafeReadableBytes { input in
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(clamping: input.count)
            var status = Z_OK
            repeat {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { space in
                    stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = UInt32(clamping: space.count)
                    status = deflate(stream, flush)
                    return space.count - Int(stream.pointee.avail_out)
                }
            } while status == Z_OK && stream.pointee.avail_out == 0
            guard stream.pointee.avail_in == 0 else { return false }
            return flush == Z_FINISH ? status == Z_STREAM_END : status != Z_STREAM_ERROR
        }
    }

    /// Continues as if the bytes had been compressed, after a flush.
    func skip(_ bytes: [UInt8]) -> Bool {
        deflateSetDictionary(stream, bytes, UInt32(bytes.count)) == Z_OK
    }
}
