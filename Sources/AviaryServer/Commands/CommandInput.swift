import ArgumentParser
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

    /// A file that can be read as often as one likes; what standard input brings is kept in one for as long.
    ///
    /// - Throws: ``UnreadableFile``; what says why it cannot be kept.
    static func file(_ path: String) throws -> CommandFile {
        guard path == "-" else {
            guard access(path, R_OK) == 0 else { throw UnreadableFile(path: path) }
            return CommandFile(path: path, directory: nil)
        }
        let directory = try TemporaryDirectory(prefix: "aviary-input")
        let copy = directory.path + "/input"
        guard FileManager.default.createFile(atPath: copy, contents: nil, attributes: [.posixPermissions: 0o600]),
              let file = FileHandle(forWritingAtPath: copy)
        else { throw UnreadableFile(path: copy) }
        defer { try? file.close() }  // what was not written is told by the write
        do {
            while let part = try FileHandle.standardInput.read(upToCount: 1 << 16), !part.isEmpty { try file.write(contentsOf: part) }
        } catch {
            directory.remove()
            throw error
        }
        return CommandFile(path: copy, directory: directory)
    }

    /// A password: standard input's first line, which `readLine()` would repair where it is no text.
    ///
    /// - Throws: `ValidationError` when the line is not UTF-8: the browser could never send the same.
    static func passwordLine() throws -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count <= longestLine, Foundation.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
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
    fileprivate let directory: TemporaryDirectory?

    func remove() { directory?.remove() }
}

struct UnreadableFile: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) cannot be read. Check the name and that this user may read it." }
}
