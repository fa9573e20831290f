import Foundation

/// Writes to standard output what is attempted and what became of it, a line a system call, so that no kill takes back
/// what was said.
struct Ledger: Sendable {
    /// A run begins; the ledgers of several may follow one another.
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

    /// What is answered after this was submitted after the store had failed.
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
        // Without its ledger a run shows nothing.
        if !isWritten { _exit(ExitStatus.noLedger.rawValue) }
    }
}
