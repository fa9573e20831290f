import AviaryDomain
import Foundation
import Synchronization

/// A line of a terminal that is written again and again; nothing where standard error is no terminal.
final class ProgressLine: Sendable {
    private let isShown: Bool
    private let hasToldOfWaiting = Atomic(false)

    /// - Parameter writesToOutput: Whether the work's own output goes to standard output, which may be the same terminal.
    init(writesToOutput: Bool) {
        isShown = isatty(STDERR_FILENO) == 1 && !(writesToOutput && isatty(STDOUT_FILENO) == 1)
    }

    /// That nothing comes is told once, and everywhere: it may go on for ever.
    func show(_ progress: SnapshotProgress) {
        guard progress.step == .waiting else { return show(progress.words) }
        guard !hasToldOfWaiting.exchange(true, ordering: .relaxed) else { return }
        clear()
        Terminal.say(progress.words)
    }

    func show(_ text: String) {
        if isShown { Terminal.write("\r\u{1B}[K" + text) }
    }

    func clear() {
        show("")
    }
}
