import NIOCore
import TestSupport
import Testing

@testable import AviaryHTTP

@Suite("Pages that are compressed once for all tokens")
struct GzipTemplateTests {
    private static let gap = 86

    /// Returns a page of a list with a token in every row.
    private func parts(rows: Int, seed: UInt64) -> [ByteBuffer] {
        var random = SeededGenerator(seed: seed)
        return (0...rows).map { row in
            let letters = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Character(Unicode.Scalar(UInt8.random(in: 0x61...0x7A, using: &random)))
            }
            let name = String(letters)
            return ByteBuffer(
                string: "\"></form></td></tr><tr><th scope=\"row\">\(name) \(row) Ångström 🦜</th><td>"
                    + "<form method=\"post\"><input type=\"hidden\" name=\"csrf\" value=\"")
        }
    }

    private func text(_ parts: [ByteBuffer], _ token: String) -> ByteBuffer {
        ByteBuffer(string: parts.map { String(buffer: $0) }.joined(separator: token))
    }

    private func token(_ random: inout SeededGenerator) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String((0..<Self.gap).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }

    @Test("A page with any token is decompressed to that page", arguments: [1, 2, 50, 200, 1000])
    func tokens(rows: Int) throws {
        let parts = parts(rows: rows, seed: UInt64(rows))
        let template = try #require(GzipTemplate(parts, gap: Self.gap))
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let token = token(&random)
            #expect(Gzip.contains(text(parts, token), template.compressed(with: token.utf8)))
            #expect(!Gzip.contains(text(parts, self.token(&random)), template.compressed(with: token.utf8)))
        }
    }

    @Test("A damaged page is not taken for a complete one")
    func damaged() throws {
        let parts = parts(rows: 3, seed: 3)
        let token = String(repeating: "t", count: Self.gap)
        let page = try #require(GzipTemplate(parts, gap: Self.gap)).compressed(with: token.utf8)
        for position in [page.readerIndex, page.writerIndex - 8, page.writerIndex - 1, 40] {
            var damaged = page
            let byte = try #require(damaged.getInteger(at: position, as: UInt8.self))
            damaged.setInteger(byte ^ 0x40, at: position)
            #expect(!Gzip.contains(text(parts, token), damaged), "byte \(position)")
        }
        #expect(!Gzip.contains(text(parts, token), page.getSlice(at: 0, length: page.readableBytes - 1) ?? page))
        #expect(!Gzip.contains(text(parts, token + "x"), page))
    }

    @Test("The page is hardly longer than one that is compressed as a whole, and always of the same length")
    func size() throws {
        let parts = parts(rows: 50, seed: 1)
        let template = try #require(GzipTemplate(parts, gap: Self.gap))
        var random = SeededGenerator(seed: 2)
        let token = token(&random)
        let whole = try #require(Gzip.compressed(text(parts, token), level: .quick))
        #expect(template.size < whole.readableBytes + 100)
        for _ in 0..<5 { #expect(template.compressed(with: self.token(&random).utf8).readableBytes == template.size) }
    }

    @Test("A page without a token, and one whose rows are too far apart for references, have no template")
    func refused() {
        #expect(GzipTemplate([], gap: Self.gap) == nil)
        #expect(GzipTemplate([ByteBuffer(string: "a")], gap: Self.gap) == nil)
        var random = SeededGenerator(seed: 5)
        let far = ByteBuffer(bytes: (0..<70_000).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) })
        #expect(GzipTemplate([far, far, far], gap: Self.gap) == nil)
        #expect(GzipTemplate([far, far], gap: Self.gap) != nil)
    }
}
