import AviaryData
import AviaryDomain
import Testing

@Suite("Draft compression")
struct DraftCompressionTests {
    private let compression = ZlibDraftCompression()

    @Test("A round trip preserves any bytes", arguments: [0, 1, 100, 65_536])
    func roundTrip(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
        let compressed = try #require(compression.compressed(bytes))
        #expect(compression.expanded(compressed, limit: 65_536) == bytes)
        #expect(compressed.first != UInt8(ascii: "{"))
    }

    @Test("Data that would expand beyond the limit is rejected")
    func bomb() throws {
        let compressed = try #require(compression.compressed([UInt8](repeating: 0, count: 10_000_000)))
        #expect(compressed.count < 20_000)
        #expect(compression.expanded(compressed, limit: 65_536) == nil)
    }

    @Test("Invalid, truncated or changed data is rejected")
    func damaged() throws {
        let compressed = try #require(
            compression.compressed(Array("a text that is long enough to be told from another".utf8)))
        #expect(compression.expanded([1, 2, 3], limit: 100) == nil)
        #expect(compression.expanded([], limit: 100) == nil)
        #expect(compression.expanded(Array(compressed.dropLast()), limit: 100) == nil)
        var changed = compressed
        changed[changed.count - 1] ^= 1
        #expect(compression.expanded(changed, limit: 100) == nil)
    }
}
