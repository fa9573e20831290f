import TestSupport
import Testing

@testable import AviaryDomain

@Suite("Patterns match in linear time")
struct PatternTests {
    // A backtracking engine exceeds the time limit with forty letters.
    @Test(
        "A pattern that causes catastrophic backtracking fails quickly", .timeLimit(.minutes(Patience.minutes)),
        arguments: [
            "(a+)+$", "(a|a)*", "(a|aa)+$", "(.*)*x", "a*a*a*a*a*a*b", "(a{0,20}){0,20}b", "([a-z]+)*[0-9]",
        ])
    func catastrophic(pattern: String) throws {
        let automaton = try PatternAutomaton(pattern)
        for count in [40, TextPattern.longestText] {
            #expect(!automaton.matches(String(repeating: "a", count: count) + "!"))
        }
    }

    @Test("A text above the length limit is rejected before matching")
    func long() {
        let text = String(repeating: "a", count: TextPattern.longestText + 1)
        #expect(
            TextPattern("a+", hint: nil).problem(with: text) == "Shorten this text to at most 1,000 bytes.")
    }

    @Test(
        "A pattern that needs backtracking or is too large is rejected with a reason",
        arguments: [
            (#"(a)\1"#, #"has \1, which is none of those that can be matched without going back in the text"#),
            (#"\bword\b"#, #"has \b, which is none of those that can be matched without going back in the text"#),
            ("(?=a)a", "has a group (?=: only (…), (?:…), (?<name>…) and (?i) at the beginning are known"),
            ("(?<!a)b", "is no regular expression"),
            ("a++", "has a quantifier that never gives back (++): write it with one +"),
            ("(.{0,99}){0,99}", "repeats too much: check long texts with .length"), ("[a-", "is no regular expression"),
            ("(a", "is no regular expression"),
        ])
    func refused(pattern: String, reason: String) {
        #expect(TextPattern(pattern, hint: nil).mistake == reason)
    }

    @Test(
        "Patterns support groups, repetition, character classes, code points and case folding",
        arguments: [
            ("(?<year>[0-9]{4})-(?:0[1-9]|1[0-2])", "2026-11", "2026-13"), (#"\u{41}\x42\u0043"#, "ABC", "abc"),
            ("(?i)abc[d-f]é", "ABCEÉ", "ABCG"),
            (#"\p{Lu}\P{Lu}+"#, "Ärger", "ärger"), (#"[[:alpha:]&&[^b]]*"#, "acd", "abc"), ("^a{2,}$", "aaa", "a"),
            (#"a\{2\}\."#, "a{2}.", "aa."), ("|a", "", "b"),
        ])
    func known(pattern: String, fits: String, other: String) throws {
        let automaton = try PatternAutomaton(pattern)
        #expect(automaton.matches(fits))
        #expect(!automaton.matches(other))
    }

    @Test("A pattern matches the same texts as a Swift regular expression", arguments: [UInt64(7), 8])
    func sameAsSwift(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var matching = 0
        for _ in 0..<1_000 {
            let pattern = Self.pattern(depth: 0, &random)
            let automaton = try PatternAutomaton(pattern), regex = try Regex(pattern)
            for _ in 0..<6 {
                let text = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    Self.letters.randomElement(using: &random) ?? ""
                }.joined()
                let expected = try regex.wholeMatch(in: text) != nil
                if expected { matching += 1 }
                #expect(automaton.matches(text) == expected, "seed \(seed): \(pattern) of \(text.debugDescription)")
            }
        }
        #expect(matching > 300)
    }

    private static let letters = ["a", "b", "1", "é", "e\u{301}", ".", "\n", " ", "\r\n", "B"]

    private static func pattern(depth: Int, _ random: inout SeededGenerator) -> String {
        func part() -> String { pattern(depth: depth + 1, &random) }
        switch Int.random(in: 0..<(depth > 3 ? 5 : 10), using: &random) {
        case 0...2: return ["a", "b", "1"].randomElement(using: &random) ?? ""
        case 3: return ["[a-b]", "[^a]", "[[:alpha:]&&[^b]]", "."].randomElement(using: &random) ?? ""
        case 4: return [#"\d"#, #"\w"#, #"\s"#, #"\."#, "é"].randomElement(using: &random) ?? ""
        case 5:
            return "(" + part() + ")"
                + (["*", "+", "?", "{2}", "{1,2}", "{0,2}", "*?", ""].randomElement(using: &random) ?? "")
        case 6: return "(?:" + part() + "|" + part() + ")"
        case 7: return (Bool.random(using: &random) ? "^" : "") + part() + (Bool.random(using: &random) ? "$" : "")
        default: return part() + part()
        }
    }
}
