import Foundation
import TestSupport
import Testing

/// A log of every statement that SQLite begins in the processes of a server. A preloaded library writes it.
struct StatementLog {
    private let path: String

    init(in directory: TestDirectory) {
        path = directory.path("statements")
    }

    var environment: [String: String] {
        get throws { ["LD_PRELOAD": try Self.library.get().path, "STATEMENT_LOG": path] }
    }

    /// Returns the statements that a body causes and that begin before it ends.
    ///
    /// The store's occasional background work may be among them, so the body runs several times and the run with
    /// the fewest statements counts.
    func fewest(of body: (Int) async throws -> Void) async throws -> [String] {
        var all: [[String]] = []
        for turn in 0..<Self.turns {
            let before = try lines().count
            try await body(turn)
            all.append(Array(try lines().dropFirst(before)))
        }
        return all.min { $0.count < $1.count } ?? []
    }

    /// Returns the statements of one turn, from one that begins with the anchor to the next.
    ///
    /// Each turn must contain the anchor once.
    ///
    /// The store answers its caller first and cleans up afterwards, always before it takes the next turn.
    func fewest(between anchor: String, of body: (Int) async throws -> Void) async throws -> [String] {
        let before = try lines().count
        for turn in 0...Self.turns { try await body(turn) }
        let statements = Array(try lines().dropFirst(before))
        let anchors = statements.indices.filter { statements[$0].hasPrefix(anchor) }
        try #require(anchors.count == Self.turns + 1, "\(statements.joined(separator: "\n"))")
        return zip(anchors, anchors.dropFirst()).map { Array(statements[$0..<$1]) }.min { $0.count < $1.count } ?? []
    }

    private static let turns = 4

    /// Returns the lines without the process that began each statement.
    private func lines() throws -> [String] {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n").map {
            $0.drop { $0 != " " }.trimmingCharacters(in: .whitespaces)
        }
    }

    /// The library, which each run builds beside the programs.
    private static let library = Result { () throws -> URL in
        let product = try Program.zoo.executable().deletingLastPathComponent().appending(path: "libStatements.so")
        try PreloadedLibrary.build("Statements/statements.c", as: product, linkedBy: ["-ldl", "-lsqlite3"])
        return product
    }
}
