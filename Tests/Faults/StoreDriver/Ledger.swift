import Foundation

/// A ledger of all attempts and their outcomes on standard output.
///
/// The ledger writes each line with one system call, so that a kill cannot take back a written line.
struct Ledger: Sendable {
    /// Marks the beginning of a run. Ledgers of several runs may be concatenated.
    func begin() { write("begin") }

    func attempt(_ step: Plan.Step, of caller: Int) {
        write("attempt \(caller) \(step.number) " + step.effects.joined(separator: " "))
    }

    func acknowledged(_ step: Plan.Step, of caller: Int, commit: Int64?, isRepeat: Bool) {
        write(
            "acknowledged \(caller) \(step.number) \(commit.map(String.init) ?? "?") \(isRepeat ? "repeat" : "first")")
    }

    func refused(_ step: Plan.Step, of caller: Int, _ reason: String) {
        write("refused \(caller) \(step.number) \(reason)")
    }

    func unavailable(_ step: Plan.Step, of caller: Int, _ reason: String) {
        write("unavailable \(caller) \(step.number) \(reason)")
    }

    /// Marks a step that was submitted after the failure of the store. Later answers belong to it.
    func late(_ step: Plan.Step, of caller: Int) {
        write("late \(caller) \(step.number)")
    }

    func fatal(_ reason: String) { write("fatal \(reason)") }
    func read(_ count: Int) { write("read \(count)") }
    func unreadable(_ reason: String) { write("unreadable \(reason)") }

    private func write(_ line: String) {
        var line = line.replacing("\n", with: " ") + "\n"
        let isWritten = line.withUTF8 { bytes in
            Foundation.write(STDOUT_FILENO, bytes.baseAddress, bytes.count) == bytes.count
        }
        // A run without a ledger proves nothing.
        if !isWritten { _exit(ExitStatus.noLedger.rawValue) }
    }
}
