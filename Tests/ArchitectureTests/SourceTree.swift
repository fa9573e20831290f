import Foundation

/// The files of the package, located relative to this source file.
enum SourceTree {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the Swift files below a folder of the package.
    static func swiftFiles(below folder: String) throws -> [SourceFile] {
        let directory = root.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            SourceFile(path: folder + "/" + path, text: try text(of: folder + "/" + path))
        }
    }

    static func folders(in folder: String) throws -> [String] {
        let directory = root.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: directory.appending(path: name).path, isDirectory: &isDirectory)
                && isDirectory.boolValue
        }.sorted()
    }

    static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
    }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

struct SourceFile: Sendable {
    /// The path relative to the package root, such as `Sources/Zoo/Animal.swift`.
    let path: String
    let text: String

    /// The name of the target, which is the folder below `Sources`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// Indicates whether the text contains one of the words, in upper or lower case.
    ///
    /// The rules look at each line of the few files that do.
    func mentions(_ words: [String]) -> Bool {
        let text = text.lowercased()
        return words.contains { strstr(text, $0.lowercased()) != nil }
    }

    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

/// A violation of a rule in one line of a file.
struct Violation: Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let reason: String

    var description: String { "\(path):\(line): \(reason)" }
}
