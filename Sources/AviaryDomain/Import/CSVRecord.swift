/// One record of a CSV file.
package struct CSVRecord: Sendable, Hashable {
    /// The line of the file on which the record begins, from 1.
    package let line: Int
    package let fields: [String]

    package init(line: Int, fields: [String]) {
        self.line = line
        self.fields = fields
    }
}
