import ArgumentParser
import AviaryDomain
import Foundation

/// A file named on the command line, or standard input.
package enum CommandInput {
    /// Reads a whole file, or standard input for `-`.
    ///
    /// - Throws: ``UnreadableFile`` if the file cannot be read.
    static func read(_ path: String) throws -> [UInt8] {
        if path == "-" { return [UInt8](FileHandle.standardInput.readDataToEndOfFile()) }
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw UnreadableFile(path: path)
        }
    }

    /// Returns the path that opens the input, for a reader that reads it once.
    static func path(_ path: String) -> String { path == "-" ? "/dev/stdin" : path }

    /// Returns a file that can be read repeatedly. The input of standard input or a pipe is copied to a temporary
    /// file.
    ///
    /// - Throws: ``UnreadableFile``; an error that says why the copy cannot be written.
    static func file(_ path: String) throws -> CommandFile {
        if path == "-" { return try CommandFile(copying: .standardInput, named: "Standard input") }
        guard let file = FileHandle(forReadingAtPath: path) else { throw UnreadableFile(path: path) }
        // A pipe is not seekable.
        let isReadAgain = lseek(file.fileDescriptor, 0, SEEK_CUR) == 0
        return isReadAgain ? CommandFile(path: path) : try CommandFile(copying: file, named: path)
    }

    /// Reads a password from the first line of standard input. `readLine()` would repair invalid UTF-8.
    ///
    /// - Throws: `ValidationError` if the line is not UTF-8, because a browser could never send the same password.
    package static func passwordLine() throws -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count <= longestLine, Foundation.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count <= longestLine, let text = String(validating: line, as: UTF8.self) else {
            throw ValidationError(
                "The first line of standard input is not a valid password: it is not UTF-8, or it is too long.")
        }
        return text
    }

    /// The largest size of the line in bytes, which exceeds that of any password.
    private static let longestLine = 65_536
}

/// A file for a command to read.
struct CommandFile {
    let path: String
    private let copy: FileHandle?

    fileprivate init(path: String) {
        self.path = path
        copy = nil
    }

    /// Copies the input to a file without a name, which the system removes however the process ends.
    fileprivate init(copying source: FileHandle, named sourceName: String) throws {
        let directory = FileManager.default.temporaryDirectory.path
        let name = directory + "/aviary-input-" + UUID().canonicalText
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DataDirectoryError(
                path: directory, reason: "cannot be written.",
                advice: "Make the temporary directory writable."
            )
        }
        unlink(name)
        let copy = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        Self.reportWaiting(for: source)
        while let part = try Self.part(of: source, named: sourceName) { try copy.write(contentsOf: part) }
        self.copy = copy
        // Each open of this path reads from the first byte.
        path = "/proc/self/fd/\(descriptor)"
    }

    func close() { try? copy?.close() }  // nothing of it is wanted any more

    /// Prints a message if a pipe is silent for a second. An ordinary pipe is faster.
    private static func reportWaiting(for source: FileHandle) {
        var input = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
        if poll(&input, 1, 1000) == 0 { Terminal.printLine("Waiting for the records from the pipe…") }
    }

    private static func part(of source: FileHandle, named name: String) throws(UnreadableFile) -> Data? {
        do {
            return try source.read(upToCount: 1 << 16).flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            throw UnreadableFile(path: name)
        }
    }
}

struct UnreadableFile: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) can’t be read. Check the name and the permissions." }
}
