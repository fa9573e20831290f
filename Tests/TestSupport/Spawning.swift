package import Foundation

/// Starts processes one after the other.
///
/// While one test starts a process, no other test may hold the write end of a pipe that is not yet passed on. The
/// process would inherit it, and the reader of the pipe would never reach its end.
package enum Spawning {
    private static let lock = NSLock()

    package static func alone<Result>(_ start: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try start()
    }
}

extension Process {
    /// Starts the process while no other test starts one.
    package func runAlone() throws {
        try Spawning.alone { try run() }
    }

    /// Starts the process while no other test starts one, and returns the handle from which its output is read.
    ///
    /// - Parameter includesErrors: Indicates whether the standard error is a part of the output.
    package func runAloneWithOutput(includingErrors includesErrors: Bool = false) throws -> FileHandle {
        try Spawning.alone {
            let pipe = Pipe()
            standardOutput = pipe
            if includesErrors { standardError = pipe }
            try run()
            return pipe.fileHandleForReading
        }
    }
}

/// An executable file that a test writes.
package enum ExecutableFile {
    struct NotWritten: Error {}

    /// Joins the files and the text to an executable file, which replaces the file at the path.
    ///
    /// A process of its own writes the file. If this process wrote it, a process that another test starts at the same
    /// time would inherit the descriptor, and the system executes no file that is open for writing ("Text file busy").
    package static func write(to path: String, joining files: [String] = [], endingWith text: String) throws {
        let end = path + ".end"
        try Data(text.utf8).write(to: URL(filePath: end))
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments =
            ["-c", #"cat "$@" >"$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#, path] + files + [end]
        try shell.runAlone()
        shell.waitUntilExit()
        guard shell.terminationStatus == 0 else { throw NotWritten() }
        try FileManager.default.removeItem(atPath: end)
    }
}
