package import AviaryDomain
import CZlib

/// Drafts as zlib writes them (RFC 1950).
package struct ZlibDraftCompression: DraftCompression {
    package init() {}

    package func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var length = compressBound(uLong(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(length))
        guard compress2(&output, &length, bytes, uLong(bytes.count), Z_BEST_COMPRESSION) == Z_OK else { return nil }
        return Array(output.prefix(Int(length)))
    }

    package func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        var length = uLong(limit)
        var output = [UInt8](repeating: 0, count: limit)
        guard uncompress(&output, &length, bytes, uLong(bytes.count)) == Z_OK else { return nil }
        return Array(output.prefix(Int(length)))
    }
}
