import Foundation
import TestSupport

/// The faults that the disk injects into one process, as `Tests/Faults/DiskFaults` understands them.
struct DiskFaults {
    /// The exit status of a process that the library ends.
    static let exitStatus: Int32 = 86

    private var settings: [String: String] = [:]

    static var none: DiskFaults { DiskFaults() }

    static func failedFlush(_ number: Int) -> DiskFaults { DiskFaults("FAIL_SYNC", number) }
    /// Returns the faults of a store that ignores a failed flush.
    static func unnoticedFailedFlush(_ number: Int) -> DiskFaults {
        var faults = failedFlush(number)
        faults.settings["DISK_FAULTS_HIDE_FAILURE"] = "1"
        return faults
    }

    static func exitAfterFlush(_ number: Int) -> DiskFaults { DiskFaults("EXIT_AFTER_SYNC", number) }
    static func tornWrite(_ number: Int) -> DiskFaults { DiskFaults("TEAR_WRITE", number) }
    /// The behavior of a store with `synchronous=NORMAL`.
    static var unflushedLog: DiskFaults { DiskFaults("IGNORE_SYNC", 1) }
    /// Returns the faults of a disk whose space in bytes is the contents of the file.
    static func space(in file: String) -> DiskFaults { DiskFaults("SPACE", file) }

    /// - Parameter calm: The number of calls that succeed first.
    static func random(perTenThousand rate: Int, after calm: Int = 0, seed: UInt64) -> DiskFaults {
        var faults = DiskFaults("RATE", rate)
        faults.settings["DISK_FAULTS_CALM"] = String(calm)
        faults.settings["DISK_FAULTS_SEED"] = String(seed >> 2)
        return faults
    }

    private init() {}

    private init(_ setting: String, _ value: some CustomStringConvertible) {
        settings["DISK_FAULTS_" + setting] = value.description
    }

    func environment(store: String, ledger: String, trace: String) throws -> [String: String] {
        settings.merging([
            "LD_PRELOAD": try Self.library.get().path,
            "DISK_FAULTS_STORE": store, "DISK_FAULTS_LEDGER": ledger, "DISK_FAULTS_TRACE": trace,
        ]) { own, _ in own }
    }

    /// The library, which each run builds beside the programs of the tests.
    private static let library = Result { () throws -> URL in
        let product = try StoreDriver.programs().appending(path: "libDiskFaults.so")
        try PreloadedLibrary.build("DiskFaults/disk_faults.c", as: product)
        return product
    }
}
