import Foundation

/// The location of this program.
enum ProgramPath {
    /// The path where a deploy puts the next program.
    ///
    /// It is the path by which this program was called, if it leads here, so that a symbolic link in it may be
    /// changed. Otherwise it is the program's file.
    static let own = path(called: CommandLine.arguments.first ?? "", file: file)

    static func path(called: String, file: String?) -> String {
        guard let file else { return absolute(called) }
        guard called.contains("/") else { return file }
        return resolved(absolute(called)) == file ? absolute(called) : file
    }

    private static var file: String? {
        // The target is nil where there is no /proc.
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let mark = " (deleted)"
        return target.map { $0.hasSuffix(mark) ? String($0.dropLast(mark.count)) : $0 }
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
