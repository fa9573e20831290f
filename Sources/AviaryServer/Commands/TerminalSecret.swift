import ArgumentParser
import Foundation

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
