import Foundation

/// The attempts and answers that callers recorded in one or more runs on the same directory.
struct LedgerText {
    struct Step {
        var effects: [String] = []
        var isAttempted = false
        var commits: Set<Int64> = []
        var firsts = 0
        var repeats = 0
        var isAcknowledged = false
        /// The run in which the step was submitted after the store had failed.
        var lateRun: Int?
        var isAcknowledgedLate = false
        /// The reason of a final rejection by the store.
        var refusal: String?

        /// Indicates whether the store must reject the step.
        var isWrong: Bool { effects.contains { $0.hasPrefix("!") } }
    }

    /// The attempts by caller, in order.
    private(set) var callers: [Int: [Int: Step]] = [:]
    private(set) var runs = 0
    /// The failures that the store reported, with the run.
    private(set) var fatal: [(run: Int, reason: String)] = []
    private(set) var reads: [Int] = []
    private(set) var unreadable: [String] = []
    private(set) var unavailable: [String] = []

    init(_ text: Data) {
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") { read(line.split(separator: " ")) }
    }

    var steps: [Step] { callers.values.flatMap(\.values) }
    var acknowledged: Int { steps.count(where: \.isAcknowledged) }

    private mutating func read(_ words: [Substring]) {
        guard let word = words.first else { return }
        let rest = words.dropFirst(3)
        switch word {
        case "begin": runs += 1
        case "fatal": fatal.append((runs, words.dropFirst().joined(separator: " ")))
        case "read": reads.append(words.count > 1 ? Int(words[1]) ?? -1 : -1)
        case "unreadable": unreadable.append(words.dropFirst().joined(separator: " "))
        default:
            guard words.count > 2, let caller = Int(words[1]), let number = Int(words[2]) else { return }
            if word == "unavailable" { unavailable.append(rest.joined(separator: " ")) }
            callers[caller, default: [:]][number, default: Step()].read(word, Array(rest), run: runs)
        }
    }
}

extension LedgerText.Step {
    fileprivate mutating func read(_ word: Substring, _ rest: [Substring], run: Int) {
        switch word {
        case "attempt":
            isAttempted = true
            effects = rest.map(String.init)
        case "acknowledged" where rest.count > 1:
            isAcknowledged = true
            if lateRun == run { isAcknowledgedLate = true }
            if let commit = Int64(rest[0]) { commits.insert(commit) }
            if rest[1] == "first" { firsts += 1 } else { repeats += 1 }
        case "late": lateRun = run
        case "refused": refusal = rest.joined(separator: " ")
        default: break
        }
    }
}
