import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Plan of a filtered list")
struct ListPlanTests {
    @Test("A plan collects a few matches and walks through the list for many")
    func single() {
        #expect(ListPlan(found: [900], total: 1_000_000, size: 50).way == .collect(0))
        #expect(ListPlan(found: [9_000], total: 1_000_000, size: 50).way == .walk)
        #expect(ListPlan(found: [10_001], total: 1_000_000, size: 50).way == .walk)
        #expect(ListPlan(found: [nil], total: 1_000_000, size: 50).way == .walk)
    }

    @Test("The condition with the fewest matches leads the collection")
    func several() {
        #expect(ListPlan(found: [1_001, 40, 700, nil], total: 1_000_000, size: 50).way == .collect(1))
        #expect(ListPlan(found: [1_001, nil], total: 1_000_000, size: 50).way == .walk)
    }

    @Test("The leader is the index with the fewest matches, if they are few")
    func leader() {
        #expect(ListPlan(found: [5_162], total: 336_776, size: 50).leader == 0)
        #expect(ListPlan(found: [5_162], total: 336_776, size: 50).way == .walk)
        #expect(ListPlan(found: [nil, 1_001, 700], total: 1_000_000, size: 50).leader == 2)
        #expect(ListPlan(found: [nil, 1_001], total: 1_000_000, size: 50).leader == nil)
        #expect(ListPlan(found: [nil], total: 1_000_000, size: 50).leader == nil)
    }

    @Test("The number of matches is known for a single condition or if a condition has no matches")
    func matches() {
        #expect(ListPlan(found: [7], total: 100, size: 50).matches == .exactly(7))
        #expect(ListPlan(found: [10_001], total: 100_000, size: 50).matches == .atLeast(10_000))
        #expect(ListPlan(found: [7, 9], total: 100, size: 50).matches == nil)
        #expect(ListPlan(found: [7, 0], total: 100, size: 50).matches == .exactly(0))
        #expect(ListPlan(found: [nil], total: 100, size: 50).matches == nil)
    }
}

@Suite("Case-insensitive prefix range")
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

    /// Returns the key with which SQLite compares case-insensitively.
    private func key(_ text: String) -> [UInt8] { text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 } }

    @Test("A range contains exactly the texts with the prefix")
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

    @Test("A range has no upper bound if the prefix is the last Unicode scalar")
    func last() {
        #expect(PrefixRange("\u{10FFFF}").upper == nil)
        #expect(PrefixRange("a\u{10FFFF}").upper == "b")
    }
}
