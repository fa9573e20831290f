import Foundation
import TestSupport

@testable import AviaryData

/// The lines of a snapshot, which a test can change and write again.
struct SnapshotText {
    var lines: [String]

    init(_ path: String) throws {
        var reader = LineReader(try GzipReader(path))
        lines = []
        while let line = try reader.nextLine() { lines.append(String(decoding: reader.buffer[line], as: UTF8.self)) }
    }

    /// Recomputes the last line, so that only the changed part is invalid.
    mutating func close(records: Int? = nil) throws {
        let body = lines.dropLast().map { $0 + "\n" }.joined()
        let file = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try Data(body.utf8).write(to: URL(fileURLWithPath: file))
        defer { unlink(file) }
        let hash = try run("/usr/bin/sha256sum", [file]).output.prefix(64)
        lines[lines.count - 1] = "{\"end\":true,\"records\":\(records ?? lines.count - 2),\"sha256\":\"\(hash)\"}"
    }

    mutating func replace(_ text: String, with other: String, inLine number: Int) {
        precondition(lines[number - 1].contains(text), "\(lines[number - 1])")
        lines[number - 1] = lines[number - 1].replacingOccurrences(of: text, with: other)
    }

    func write(to path: String) throws {
        try writeGzip([UInt8](lines.map { $0 + "\n" }.joined().utf8), to: path)
    }
}

func writeGzip(_ bytes: [UInt8], to path: String) throws {
    let file = try AtomicFile(path)
    let gzip = try GzipWriter(to: file.sink, level: 1)
    try gzip.write(bytes)
    try gzip.finish()
    try file.publish()
}

/// Runs a program until it exits and returns its output.
func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = try process.runAloneWithOutput(includingErrors: true)
    let data = output.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}
