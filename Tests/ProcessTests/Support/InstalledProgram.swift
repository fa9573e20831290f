import Foundation
import Testing

/// A copy of a program in a test's directory, to be replaced as a deploy replaces it: by another file of its name.
struct InstalledProgram: Sendable {
    let path: String

    init(_ program: Program, in directory: TestDirectory) throws {
        path = directory.path("program")
        try install(program)
    }

    /// - Parameter growth: what the program reads at the end of its own file; see `GrownZoo`.
    func install(_ program: Program, growth: String? = nil) throws {
        let new = path + ".new"
        try FileManager.default.copyItem(atPath: program.executable().path, toPath: new)
        if let growth {
            let file = try #require(FileHandle(forWritingAtPath: new))
            try file.seekToEnd()
            try file.write(contentsOf: Data("\ngrown-zoo \(growth)\n".utf8))
            try file.close()
        }
        try #require(rename(new, path) == 0)
    }

    /// A program that does what the zoo does, but for what the script does before: `$1` is the command.
    func install(script: String) throws {
        let new = path + ".new"
        let zoo = try Program.zoo.executable().path
        try Data("#!/bin/sh\n\(script)\nexec '\(zoo)' \"$@\"\n".utf8).write(to: URL(filePath: new))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: new)
        try #require(rename(new, path) == 0)
    }
}
