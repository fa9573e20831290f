import ArgumentParser
import AviaryDomain
import Foundation

/// A file named on the command line, or standard input.
enum CommandInput {
    /// - Throws: `ValidationError` when the file cannot be read.
    static func read(_ path: String) throws -> [UInt8] {
        if path == "-" { return [UInt8](FileHandle.standardInput.readDataToEndOfFile()) }
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw UnreadableFile(path: path)
        }
    }

    /// What opens it, for a reader that goes through it once.
    static func path(_ path: String) -> String { path == "-" ? "/dev/stdin" : path }

    /// A file that can be read as often as one likes; what standard input or a pipe brings is kept in one for as long.
    ///
    /// - Throws: ``UnreadableFile``; what says why it cannot be kept.
    static func file(_ path: String) throws -> CommandFile {
        if path == "-" { return try CommandFile(copying: .standardInput, named: "Standard input") }
        guard let file = FileHandle(forReadingAtPath: path) else { throw UnreadableFile(path: path) }
        // A pipe has no position to go back to.
        let isReadAgain = lseek(file.fileDescriptor, 0, SEEK_CUR) == 0
        return isReadAgain ? CommandFile(path: path) : try CommandFile(copying: file, named: path)
    }

    /// A password: standard input's first line, which `readLine()` would repair where it is no text.
    ///
    /// - Throws: `ValidationError` when the line is not UTF-8: the browser could never send the same.
    static func passwordLine() throws -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count <= longestLine, Foundation.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count <= longestLine, let text = String(validating: line, as: UTF8.self) else {
            throw ValidationError("The first line of standard input is no password: it is not UTF-8, or too long.")
        }
        return text
    }

    /// Bytes; more than a password may have.
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

    /// The copy has no name of its own, so that nothing of it is left however the process ends.
    fileprivate init(copying source: FileHandle, named sourceName: String) throws {
        let directory = FileManager.default.temporaryDirectory.path
        let name = directory + "/aviary-input-" + UUID().canonicalText
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DataDirectoryError(
                path: directory, reason: "cannot be written.",
                advice: "Check that the temporary directory can be written."
            )
        }
        unlink(name)
        let copy = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        Self.tellOfWaiting(for: source)
        while let part = try Self.part(of: source, named: sourceName) { try copy.write(contentsOf: part) }
        self.copy = copy
        // Whoever opens that reads from the first byte on.
        path = "/proc/self/fd/\(descriptor)"
    }

    func close() { try? copy?.close() }  // nothing of it is wanted any more

    /// A pipe that is silent for no longer is an ordinary one.
    private static func tellOfWaiting(for source: FileHandle) {
        var input = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
        if poll(&input, 1, 1000) == 0 { Terminal.say("Waiting for the pipe to bring the records…") }
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

    var description: String { "\(path) cannot be read. Check the name and that this user may read it." }
}
