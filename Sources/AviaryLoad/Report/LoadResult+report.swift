import Foundation

extension LoadResult {
    /// Before the load, as its results would be lost: whether a report can be written there.
    ///
    /// - Throws: ``LoadPlanError`` when it cannot.
    package static func checkReport(at path: String) throws(LoadPlanError) {
        let (files, file) = (FileManager.default, URL(fileURLWithPath: path))
        var isDirectory = ObjCBool(false)
        let canBeWritten =
            if files.fileExists(atPath: file.path, isDirectory: &isDirectory) {
                !isDirectory.boolValue && files.isWritableFile(atPath: file.path)
            } else {
                files.isWritableFile(atPath: file.deletingLastPathComponent().path)
            }
        guard canBeWritten, !path.hasSuffix("/") else {
            throw LoadPlanError(
                "--report: \(path) cannot be written. Name a file in a directory that is there and may be written to.")
        }
    }

    /// Writes the report.
    ///
    /// - Throws: ``LoadTestError`` when the file cannot be written.
    package func writeReport(to path: String, commandLine: [String]) throws(LoadTestError) {
        let page = ReportPage(result: self, commandLine: commandLine, machine: .current)
        do {
            try Data(page.html.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw LoadTestError(
                "The report could not be written to \(path): \(error). Check the directory; the results stand above.")
        }
    }
}
