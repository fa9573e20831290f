/// Why a CSV file was not imported. Nothing of it was stored.
package enum CSVImportError: Error, Sendable, Hashable {
    /// A mapping that is not `property=Column`.
    case malformedMapping
    case unknownProperty(String, model: String, known: [String])
    /// A mapping to a to-many relation, which has no value of its own.
    case notStored(property: String, model: String)
    case unknownColumn(String, known: [String])
    /// A column that is mapped and that the header has more than once.
    case ambiguousColumn(String)
    case mappedTwice(property: String)
    /// No column is named like a property, and no mapping was given.
    case nothingMapped(known: [String], properties: [String])
    /// Properties that need a value and get one neither from a column nor by default.
    case missingProperties([String], model: String)
    case emptyFile
    /// The lines that are wrong: the first hundred, and how many more there are.
    case lines([LineProblem], more: Int)
}

extension CSVImportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformedMapping:
            "A mapping is a property and a column, such as name=\"Individual ID\"."
        case .unknownProperty(let property, let model, let known):
            "\(model) has no property \"\(property)\". It has \(Words.list(known))."
        case .notStored(let property, let model):
            "\(property) is a to-many relation and is not stored. Import \(model) with a column for its reference."
        case .unknownColumn(let column, let known):
            "The file has no column \"\(column)\". It has \(list(known))."
        case .ambiguousColumn(let column):
            "The file has the column \"\(column)\" more than once. Rename all but one."
        case .mappedTwice(let property):
            "\(property) gets its value from two columns. Map one of them."
        case .nothingMapped(let known, let properties):
            "No column of the file is named like a property (\(Words.list(properties))). "
                + "Map some of its columns: \(list(known))."
        case .missingProperties(let properties, let model):
            "\(model) needs a value for \(Words.list(properties)). Map a column to each."
        case .emptyFile:
            "The file is empty. Its first line must name the columns."
        case .lines(let problems, let more):
            problems.map(\.description).joined(separator: "\n")
                + (more > 0 ? "\nand \(Words.grouped(more)) more" : "")
        }
    }

    private func list(_ columns: [String]) -> String {
        Words.list(columns.map { "\"\($0)\"" })
    }
}
