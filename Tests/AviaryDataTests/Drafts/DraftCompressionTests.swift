import AviaryData
import AviaryDomain
import Testing

@Suite("What a draft holds is made smaller, and comes back as it was")
struct DraftCompressionTests {
    private let compression = ZlibDraftCompression()

    @Test("Any bytes come back", arguments: [0, 1, 100, 65_536])
    func roundTrip(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
        let compressed = try #require(compression.compressed(bytes))
        #expect(compression.expanded(compressed, limit: 65_536) == bytes)
        #expect(compressed.first != UInt8(ascii: "{"))
    }

    @Test("What would become longer than the limit is refused, however small it is")
    func bomb() throws {
        let compressed = try #require(compression.compressed([UInt8](repeating: 0, count: 10_000_000)))
        #expect(compressed.count < 20_000)
        #expect(compression.expanded(compressed, limit: 65_536) == nil)
    }

    @Test("What is none is refused, and so is one that is cut off or changed")
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
