import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("A prefix as a range of an index without regard to case")
struct PrefixRangeTests {
    private static let scalars: [Unicode.Scalar] = [
        "a", "Z", "z", "@", "[", "`", "{", "0", "_", "\u{E4}", "\u{D7FF}", "\u{E000}", "\u{10FFFF}", "\u{1F989}",
        "\u{1}",
    ]

    private func text(_ length: Int, _ generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(Self.scalars.randomElement(using: &generator) ?? "a") }
        return String(text)
    }

    /// As SQLite compares without case.
    private func key(_ text: String) -> [UInt8] { text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 } }

    @Test("It holds exactly what begins so")
    func exact() {
        var generator = TestSeed.generator()
        for _ in 0..<(Explore.isOn ? 20_000 : 4_000) {
            let prefix = text(Int.random(in: 1...3, using: &generator), &generator)
            let other = text(Int.random(in: 0...4, using: &generator), &generator)
            let range = PrefixRange(prefix)
            let isBeyond = !key(other).lexicographicallyPrecedes(key(range.lower))
            let isBefore = range.upper.map { key(other).lexicographicallyPrecedes(key($0)) } ?? true
            #expect(
                (isBeyond && isBefore) == key(other).starts(with: key(prefix)),
                "\(prefix.debugDescription) \(other.debugDescription)")
        }
    }

    @Test("Nothing comes behind the last of all letters")
    func last() {
        #expect(PrefixRange("\u{10FFFF}").upper == nil)
        #expect(PrefixRange("a\u{10FFFF}").upper == "b")
    }
}
