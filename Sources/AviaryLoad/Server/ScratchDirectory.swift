import Foundation

/// A directory of its own for one run.
struct ScratchDirectory: Sendable {
    let path: String

    init() throws(LoadTestError) {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("loadtest-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw LoadTestError(
                "\(path) could not be made: \(error). Check that the temporary directory can be written.")
        }
    }

    var data: String { path + "/data" }

    /// Writes a CSV file of one column.
    func write(rows: Int, column: String) throws(LoadTestError) -> String {
        let file = path + "/rows.csv"
        var text = column + "\n"
        for row in 1...max(1, rows) { text += "Seed \(row)\n" }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        } catch {
            throw LoadTestError("\(file) could not be written: \(error). Check the space in the temporary directory.")
        }
        return file
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)  // what stays in a temporary directory goes with it
    }
}
