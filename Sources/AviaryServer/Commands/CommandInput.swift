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
}

struct UnreadableFile: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) cannot be read. Check the name and that this user may read it." }
}
