import ArgumentParser
import AviaryDomain
import Foundation
import Synchronization

/// Standard error, where everything but data goes.
enum Terminal {
    /// Somebody who does not read for so long is not waited for.
    private static let patienceInMilliseconds: CInt = 1000

    /// What it tells of may come from a file of anybody's: characters that control a terminal are shown, not obeyed.
    static func say(_ text: String) {
        write(text.printableLines + "\n")
    }

    /// As it is, for what controls the terminal on purpose.
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

/// What somebody types. Signals that end the work only interrupt it by then, so they must end the waiting, too.
enum TerminalAnswer {
    /// Nil when there is none: the input ended, or somebody wants no more.
    static func line() -> String? {
        let before = (signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL))
        defer {
            signal(SIGINT, before.0)
            signal(SIGTERM, before.1)
        }
        return readLine()
    }
}

/// Asks for what nobody is to see, on the terminal itself.
enum TerminalSecret {
    /// - Throws: `ValidationError` where there is no terminal, or the two differ.
    static func askTwice(_ what: String) throws -> String {
        let first = try ask(what)
        guard try ask(what + " again") == first else {
            throw ValidationError("The two were not the same. Nothing was changed.")
        }
        return first
    }

    static func ask(_ what: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError(
                "There is no terminal to ask on. Give --password-stdin and write the password to standard input.")
        }
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw ValidationError(
                "This terminal cannot hide what is typed. Give --password-stdin and write the password to standard input."
            )
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        Terminal.write(what + ": ")
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw ValidationError(
                "This terminal cannot hide what is typed. Give --password-stdin and write the password to standard input."
            )
        }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            Terminal.write("\n")
        }
        return readLine() ?? ""
    }
}

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

extension Encodable {
    /// In one line, for programs: names in order, dates as RFC 3339. What controls a terminal or turns around what is read is
    /// written as its number, for people read it, too.
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
