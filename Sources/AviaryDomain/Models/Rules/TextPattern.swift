import Synchronization

/// A regular expression that whole texts must match, compiled once.
package final class TextPattern: Sendable {
    /// The greatest length of a text, in bytes. Form fields are short, and the time of a match is proportional to
    /// the length.
    package static let longestText = 1_000

    package let hint: String?
    private let automaton: PatternAutomaton?
    /// The mistake in the pattern; nil when texts can be matched with it.
    let mistake: String?

    init(_ pattern: String, hint: String?) {
        self.hint = hint
        do {
            automaton = try PatternAutomaton(pattern)
            mistake = nil
        } catch {
            // The check of the schema reports the mistake.
            automaton = nil
            mistake = error.reason
        }
    }

    /// Returns the advice for a text that does not match; nil for one that matches.
    func problem(with text: String) -> String? {
        guard text.utf8.count <= Self.longestText else {
            return localized("Shorten this text to at most \(TextFormatter.grouped(Self.longestText)) bytes.")
        }
        if automaton?.matches(text) == true { return nil }
        return hint.map { localized("Enter \($0.translated).") }
            ?? localized("This value doesn’t have the required format.")
    }
}

/// A part of a pattern that matches one character of a text: a letter, `.`, `\d`, `[a-z]`. Swift's `Regex` of this
/// part decides whether a character matches.
final class PatternAtom: Sendable {
    /// The result for each ASCII character: true when it matches.
    private let ascii: [Bool]
    // A Regex is not Sendable. The lock is held only while one character is matched.
    private let regex: Mutex<Regex<AnyRegexOutput>>

    /// Compiles an atom.
    ///
    /// - Throws: ``PatternError`` when the source is not a valid regular expression.
    init(_ source: String) throws(PatternError) {
        let regex: Regex<AnyRegexOutput>
        do {
            regex = try Regex(source)
        } catch {
            throw .noExpression
        }
        ascii = (0..<128).map { Self.takes(String(UnicodeScalar(UInt8($0))), regex) }
        self.regex = Mutex(regex)
    }

    func takes(_ character: Character) -> Bool {
        // CR LF is one character with two bytes.
        if character.utf8.count == 1, let byte = character.utf8.first, byte < 128 { return ascii[Int(byte)] }
        return regex.withLock { Self.takes(String(character), $0) }
    }

    /// Indicates whether a text matches. An error during the match counts as no match.
    private static func takes(_ text: String, _ regex: Regex<AnyRegexOutput>) -> Bool {
        // A pattern of a rule has no transformation that can throw.
        (try? regex.wholeMatch(in: text)) != nil
    }
}

/// A regular expression that examines each character of a text once.
///
/// The time of a match is therefore proportional to the length of the text, for every expression. Swift's own engine
/// backtracks: for `(a+)+$` and a text of thirty letters, it takes longer than anybody would wait.
struct PatternAutomaton: Sendable {
    /// The greatest number of states. Patterns are short; one with more states repeats something hundreds of times.
    static let mostStates = 4_000

    private enum State: Sendable {
        case atom(Int, next: Int)
        case start(next: Int)
        case end(next: Int)
        case split([Int])
        case accepted
    }

    private let atoms: [PatternAtom]
    private var states: [State] = [.accepted]
    private var first = 0

    /// Compiles a pattern.
    ///
    /// - Throws: ``PatternError`` for an invalid regular expression, one that requires backtracking, and one that is
    ///   too large.
    init(_ pattern: String) throws(PatternError) {
        do {
            _ = try Regex(pattern)
        } catch {
            throw .noExpression
        }
        let (node, atoms) = try PatternParser.parse(pattern)
        self.atoms = atoms
        first = try add(node, before: 0)
    }

    func matches(_ text: String) -> Bool {
        let characters = Array(text)
        var current = Reached(count: states.count), next = Reached(count: states.count)
        reach(first, at: 0, of: characters.count, &current)
        for (position, character) in characters.enumerated() {
            guard !current.atoms.isEmpty else { return false }
            var taken = [Bool?](repeating: nil, count: atoms.count)
            next.clear()
            for index in current.atoms {
                guard case .atom(let atom, let following) = states[index] else { continue }
                let isTaken = taken[atom] ?? atoms[atom].takes(character)
                taken[atom] = isTaken
                if isTaken { reach(following, at: position + 1, of: characters.count, &next) }
            }
            swap(&current, &next)
        }
        return current.contains(0)
    }

    /// Adds all states that can be reached without consuming a character.
    private func reach(_ first: Int, at position: Int, of count: Int, _ reached: inout Reached) {
        var waiting = [first]
        while let index = waiting.popLast() {
            guard reached.insert(index) else { continue }
            switch states[index] {
            case .atom: reached.atoms.append(index)
            case .start(let next): if position == 0 { waiting.append(next) }
            case .end(let next): if position == count { waiting.append(next) }
            case .split(let next): waiting += next
            case .accepted: break
            }
        }
    }
}

extension PatternAutomaton {
    /// Adds the states of a node.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - next: The state that follows the node.
    /// - Returns: The first state of the node.
    private mutating func add(_ node: PatternNode, before next: Int) throws(PatternError) -> Int {
        switch node {
        case .nothing: return next
        case .atom(let atom): return try add(.atom(atom, next: next))
        case .start: return try add(.start(next: next))
        case .end: return try add(.end(next: next))
        case .sequence(let parts):
            var start = next
            for part in parts.reversed() { start = try add(part, before: start) }
            return start
        case .choice(let branches):
            var starts: [Int] = []
            for branch in branches { starts.append(try add(branch, before: next)) }
            return try add(.split(starts))
        case .repeated(let part, let least, let most):
            var start = next
            if let most {
                for _ in least..<most { start = try add(.split([try add(part, before: start), next])) }
            } else {
                start = try add(.split([next]))
                let body = try add(part, before: start)
                states[start] = .split([body, next])
            }
            for _ in 0..<least { start = try add(part, before: start) }
            return start
        }
    }

    private mutating func add(_ state: State) throws(PatternError) -> Int {
        guard states.count < Self.mostStates else {
            throw PatternError("repeats too much: check long texts with .length")
        }
        states.append(state)
        return states.count - 1
    }
}

/// The states in which a match may be at one position of the text.
private struct Reached {
    private var round = 1
    private var rounds: [Int]
    /// The states that consume a character.
    var atoms: [Int] = []

    init(count: Int) {
        rounds = Array(repeating: 0, count: count)
    }

    mutating func insert(_ index: Int) -> Bool {
        if rounds[index] == round { return false }
        rounds[index] = round
        return true
    }

    func contains(_ index: Int) -> Bool { rounds[index] == round }

    mutating func clear() {
        round += 1
        atoms.removeAll(keepingCapacity: true)
    }
}
