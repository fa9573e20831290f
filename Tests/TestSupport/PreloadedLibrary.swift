package import Foundation

/// A library in C that a test preloads into a program, to record what the program does or to make a call fail.
package enum PreloadedLibrary {
    /// The error of a failed build of a library.
    struct NotBuilt: Error, CustomStringConvertible {
        let description: String
    }

    /// Builds a library. Every run builds it again, because the package needs a C compiler anyway.
    ///
    /// - Parameters:
    ///   - source: The path of the source file in `Tests/Faults`.
    ///   - product: The file of the library. Another run of the tests may build the same one.
    ///   - libraries: The options with which the library is linked.
    package static func build(_ source: String, as product: URL, linkedBy libraries: [String] = []) throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Faults").appending(path: source).path
        let built = product.path + "-\(getpid())"
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments =
            ["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", built, source]
            + libraries
        try compiler.runAlone()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw NotBuilt(description: "cc could not build \(source)") }
        // The complete library gets its name in one step.
        guard rename(built, product.path) == 0 else {
            throw NotBuilt(description: "cannot write \(product.path)")
        }
    }
}

/// The library of `Tests/Faults/NameFaults`, which kills a process before a change of the names of a store's files.
package struct NameFaults {
    private let path: String

    /// Builds the library in a folder.
    package init(in folder: String) throws {
        path = folder + "/libNameFaults.so"
        try PreloadedLibrary.build("NameFaults/name_faults.c", as: URL(filePath: path))
    }

    /// Returns the variables with which a process is killed before one of the changes, which are counted from 1.
    package func environment(killingAt step: Int) -> [String: String] {
        ["LD_PRELOAD": path, "NAME_FAULTS_KILL_AT": "\(step)"]
    }
}
