import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation
import Synchronization

/// Standard error, to which commands write all messages. Only data goes to standard output.
package enum Terminal {
    /// The longest wait for a terminal or pipe that does not read, in milliseconds.
    private static let patienceInMilliseconds: CInt = 1000

    /// Writes a message. It may contain text from other sources, so terminal control characters are escaped.
    package static func printLine(_ text: String) {
        write(text.printableLines + "\n")
    }

    /// Writes text without escaping, for intended control sequences.
    static func write(_ text: String) {
        Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(
                    STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                    guard poll(&room, 1, patienceInMilliseconds) > 0 else { return }
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}

/// A line that the user types.
///
/// The signal handlers of a running command only interrupt its work. While the command waits for input, the signals
/// must end the process.
enum TerminalInput {
    /// Reads a line, or returns nil at the end of the input.
    static func line() -> String? {
        let before = (signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL))
        defer {
            signal(SIGINT, before.0)
            signal(SIGTERM, before.1)
        }
        return readLine()
    }
}

/// A prompt for a secret, which reads from the terminal without echo.
package enum TerminalSecret {
    /// Asks for a secret twice.
    ///
    /// - Throws: `ValidationError` if there is no terminal, or if the two inputs differ.
    static func promptTwice(_ what: String) throws -> String {
        let first = try ask(what)
        guard try ask(what + " again") == first else {
            throw ValidationError("The passwords don’t match. Nothing was changed.")
        }
        return first
    }

    /// Asks for a secret once.
    ///
    /// - Throws: `ValidationError` if there is no terminal.
    package static func ask(_ what: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError(
                "No terminal for the password. Add --password-stdin and write the password to standard input.")
        }
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw ValidationError(
                "This terminal can’t hide the password. Add --password-stdin and write the password to standard input."
            )
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        Terminal.write(what + ": ")
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw ValidationError(
                "This terminal can’t hide the password. Add --password-stdin and write the password to standard input."
            )
        }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            Terminal.write("\n")
        }
        return readLine() ?? ""
    }
}

/// A progress line on a terminal that is overwritten repeatedly. It prints nothing if standard error is not a
/// terminal.
package final class ProgressLine: Sendable {
    private let isShown: Bool
    private let hasReportedWaiting = Atomic(false)

    /// Creates a progress line.
    ///
    /// - Parameter writesToOutput: Whether the work's own output goes to standard output, which may be the same
    ///   terminal.
    package init(writesToOutput: Bool) {
        isShown = isatty(STDERR_FILENO) == 1 && !(writesToOutput && isatty(STDOUT_FILENO) == 1)
    }

    /// Shows the progress. The message that the work is waiting is printed only once, and also without a terminal,
    /// because the wait may be unlimited.
    func show(_ progress: SnapshotProgress) {
        guard progress.step == .waiting else { return show(progress.words) }
        guard !hasReportedWaiting.exchange(true, ordering: .relaxed) else { return }
        clear()
        Terminal.printLine(progress.words)
    }

    /// Shows a text.
    package func show(_ text: String) {
        if isShown { Terminal.write("\r\u{1B}[K" + text) }
    }

    /// Removes the line.
    package func clear() {
        show("")
    }
}

extension Encodable {
    /// The value as one line of JSON, with sorted keys and dates as RFC 3339.
    ///
    /// Control characters and characters that change the direction of text are escaped as numbers, because people
    /// read the output too.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(date.rfc3339)
            }
            return LogText.escaped(json: String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }
}
