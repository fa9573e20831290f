import Foundation

/// A line of a terminal that is written again and again; nothing where standard error is no terminal.
struct ProgressLine: Sendable {
    private let isShown: Bool

    /// - Parameter writesToOutput: Whether the work's own output goes to standard output, which may be the same terminal.
    init(writesToOutput: Bool) {
        isShown = isatty(STDERR_FILENO) == 1 && !(writesToOutput && isatty(STDOUT_FILENO) == 1)
    }

    func show(_ text: String) {
        if isShown { Terminal.write("\r\u{1B}[K" + text) }
    }

    func clear() {
        show("")
    }
}
