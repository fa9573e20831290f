import Foundation

/// The library of `Tests/Faults/NameFaults`, which kills a process before a change of the names of a store's files.
package enum NameFaults {
    /// The error of a failed build of the library.
    struct NotBuilt: Error {}

    /// Builds the library in a folder. The package needs a C compiler anyway.
    ///
    /// - Returns: The path of the library.
    package static func library(in folder: String) throws -> String {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Faults/NameFaults/name_faults.c").path
        let path = folder + "/libNameFaults.so"
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", path, source,
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw NotBuilt() }
        return path
    }

    /// Returns the variables with which a process is killed before one of the changes, which are counted from 1.
    package static func environment(_ library: String, killingAt step: Int) -> [String: String] {
        ["LD_PRELOAD": library, "NAME_FAULTS_KILL_AT": "\(step)"]
    }
}
