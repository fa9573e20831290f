import Foundation

extension LoadResult {
    /// Writes the report.
    ///
    /// - Throws: ``LoadTestError`` when the file cannot be written.
    package func writeReport(to path: String, commandLine: [String]) throws(LoadTestError) {
        let page = ReportPage(result: self, commandLine: commandLine, machine: .current)
        do {
            try Data(page.html.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw LoadTestError("The report could not be written to \(path): \(error). Check the directory; the results stand above.")
        }
    }
}
