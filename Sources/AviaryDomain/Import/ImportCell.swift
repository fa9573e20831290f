/// The content of a file for one property of a record.
package enum ImportCell: Sendable, Hashable {
    /// No information: a new record gets the default, and an existing one keeps its value.
    case missing
    /// No value.
    case none
    /// The text of a CSV cell. An empty one is no value, and an apostrophe may precede the text.
    case cell(String)
    /// A value's own text.
    case text(String)
    /// A number, a truth value, a list or an object of JSON.
    case json(String)

    /// The text of the cell, for looking it up and showing it.
    package var shown: String {
        switch self {
        case .missing, .none: ""
        case .cell(let text), .text(let text), .json(let text): text
        }
    }
}

/// One record of a file, with a cell for each of the file's columns.
package struct ImportRecord: Sendable, Hashable {
    /// The line on which the record begins, from 1.
    package let line: Int
    package let cells: [ImportCell]

    package init(line: Int, cells: [ImportCell]) {
        self.line = line
        self.cells = cells
    }
}
