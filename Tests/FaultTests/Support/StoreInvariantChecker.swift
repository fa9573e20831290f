import Foundation

/// A check of a store's file against the answers that the callers received: acknowledged ⊆ stored ⊆ attempted, each
/// change set is stored completely and once, and the file is consistent in itself.
///
/// A caller continues only after its last step was acknowledged. So its records are in the state after the last
/// acknowledged step or in that after the pending step.
struct StoreInvariantChecker {
    let file: StoreFile
    let ledger: LedgerText

    init(_ file: StoreFile, _ ledger: LedgerText) {
        self.file = file
        self.ledger = ledger
    }

    /// Returns the violations, or an empty array if there are none.
    func violations() throws -> [String] {
        do {
            return try readableViolations()
        } catch let error as StoreFile.Unreadable {
            return [error.description]
        }
    }

    private func readableViolations() throws -> [String] {
        var violations = try soundness()
        guard try file.hasTable("Animal") else {
            return violations + (ledger.acknowledged == 0 ? [] : ["acknowledged change sets, and no table"])
        }
        violations += ledgerViolations()
        violations += try totalViolations()
        violations += try recordViolations()
        violations += try historyViolations()
        return violations
    }

    private func soundness() throws -> [String] {
        let integrity = try file.rows("PRAGMA integrity_check").flatMap { $0 }
        let dangling = try file.rows("PRAGMA foreign_key_check")
        return integrity.filter { $0 != "ok" } + dangling.map { "dangling reference: \($0)" }
    }

    /// Returns the contradictions within the ledger, regardless of the file.
    private func ledgerViolations() -> [String] {
        var violations: [String] = []
        for (caller, steps) in ledger.callers {
            for (number, step) in steps {
                let name = "step \(caller).\(number)"
                if step.isWrong, step.isAcknowledged { violations.append("\(name) is wrong and was acknowledged") }
                if !step.isWrong, let refusal = step.refusal { violations.append("\(name) was refused: \(refusal)") }
                if step.commits.count > 1 { violations.append("\(name) has several receipts: \(step.commits)") }
                if step.isAcknowledgedLate { violations.append("\(name) was acknowledged after the store had failed") }
            }
        }
        let numbers = ledger.steps.flatMap(\.commits)
        if Set(numbers).count != numbers.count { violations.append("two change sets have one commit number") }
        if Set(ledger.fatal.map(\.run)).count < ledger.fatal.count {
            violations.append("a failure was reported twice: \(ledger.fatal)")
        }
        return violations
    }

    private func totalViolations() throws -> [String] {
        try file.rows("SELECT model, records FROM aviary_total").compactMap { total in
            let count = try file.rows("SELECT count(*) FROM \"\(total[0])\"").first?.first
            return count == total[1] ? nil : "\(total[0]): total \(total[1]), counted \(count ?? "nothing")"
        }
    }

    private func recordViolations() throws -> [String] {
        let torn = try file.rows("SELECT name FROM Animal WHERE replace(note, name || ' ', '') <> ''")
        let repeated = try file.rows("SELECT name FROM Animal GROUP BY name HAVING count(*) > 1")
        let animals = try file.animals()
        let callers = Set(animals.keys).union(ledger.callers.keys).sorted()
        return torn.map { "the note of \($0[0]) is not as it was written" }
            + repeated.map { "\($0[0]) is stored twice" }
            + callers.compactMap { caller in
                let states = AllowedStates(of: ledger.callers[caller] ?? [:])
                return states.difference(from: animals[caller] ?? [:]).map { "caller \(caller): \($0)" }
            }
    }
}

extension StoreInvariantChecker {
    /// Returns the violations of the history, which must contain each stored change set once, under the number of its
    /// receipt and with all its changes. The last change of each record must match the state of the record.
    func historyViolations() throws -> [String] {
        try commitViolations() + lastChangeViolations()
    }

    private func commitViolations() throws -> [String] {
        var violations: [String] = []
        var stored: [String: String] = [:]
        var changes: [String: [String]] = [:]
        for change in try file.rows(#"SELECT "commit", kind, record FROM aviary_change ORDER BY number"#) {
            changes[change[0], default: []].append("\(change[1]) \(change[2])")
        }
        for commit in try file.rows("SELECT number, change_set FROM aviary_commit ORDER BY number") {
            let (number, name) = (commit[0], Self.step(ofChangeSet: commit[1]))
            if stored.updateValue(number, forKey: name) != nil { violations.append("step \(name) was committed twice") }
            guard let step = ledger.step(name), !step.isWrong else {
                violations.append("commit \(number) is step \(name), which nobody attempted")
                continue
            }
            let reported = changes.removeValue(forKey: number) ?? []
            if !step.matches(reported) {
                violations.append("commit \(number), step \(name): \(step.effects), history: \(reported)")
            }
        }
        violations += changes.keys.map { "changes of commit \($0), which is none" }
        for (caller, steps) in ledger.callers {
            for (number, step) in steps {
                let reported = stored["\(caller).\(number)"]
                guard let commit = step.commits.first, reported != String(commit) else { continue }
                violations.append("step \(caller).\(number) is commit \(commit), history: \(reported ?? "none")")
            }
        }
        return violations
    }

    private func lastChangeViolations() throws -> [String] {
        let last = "(SELECT record, max(number), kind, \"commit\" FROM aviary_change GROUP BY record)"
        return try file.rows(
            """
            SELECT coalesce(id, record) || ': version ' || coalesce(aviary_version, 'none') || ', last change '
                || coalesce("commit", 'none')
            FROM Animal FULL JOIN \(last) ON record = id
            WHERE CASE WHEN kind = 2 THEN id IS NOT NULL ELSE aviary_version IS NOT "commit" END
            """
        ).map { $0[0] }
    }

    /// Returns the caller and the step, which are the end of an id of the driver.
    private static func step(ofChangeSet id: String) -> String {
        let digits = id.suffix(12)
        return "\(Int(digits.prefix(4), radix: 16) ?? -1).\(Int(digits.suffix(8), radix: 16) ?? -1)"
    }
}

extension LedgerText {
    /// - Parameter name: The caller and the number.
    fileprivate func step(_ name: String) -> Step? {
        let parts = name.split(separator: ".").compactMap { Int($0) }
        return parts.count == 2 ? callers[parts[0]]?[parts[1]] : nil
    }
}

extension LedgerText.Step {
    /// - Parameter changes: The kind and the record of each.
    fileprivate func matches(_ changes: [String]) -> Bool {
        guard changes.count == effects.count else { return false }
        return zip(changes, effects).allSatisfy { change, effect in
            let record = effect.dropFirst().split(separator: "=").first ?? ""
            return effect.hasPrefix("-") ? change == "2 \(record)" : change == "0 \(record)" || change == "1 \(record)"
        }
    }
}
