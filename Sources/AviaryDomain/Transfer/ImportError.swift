/// Why a file of records was not imported. Nothing of it was stored.
package enum ImportError: Error, Sendable, Hashable {
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
    /// Records are to be known by a property that no column fills.
    case unmatched(property: String)
    /// Records are to be known by a property of which several may have the same value.
    case notUnique(property: String, model: String)
    case emptyFile
    /// More than is imported from a page.
    case tooManyRecords(limit: Int)
    /// More than can be one batch, where all have to be.
    case tooManyTogether(limit: Int)
    /// One JSON array, where each line is to be an object.
    case jsonArray
    case semicolons
    case tabs
    /// What is wrong with the lines: the first hundred problems, and how many more there are; then also which lines have one.
    case lines([LineProblem], more: Int, wrong: WrongLines? = nil)
}

extension ImportError {
    /// Nil where the file as a whole is.
    package var wrongLines: WrongLines? {
        guard case .lines(let problems, _, let wrong) = self else { return nil }
        return wrong ?? WrongLines(Set(problems.map(\.line)).sorted())
    }
}

extension ImportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformedMapping:
            localized("A mapping is a property and a column, such as name=\"Individual ID\".")
        case .unknownProperty(let property, let model, let known):
            localized("\(model) has no property \"\(property)\". It has \(Words.list(known)).")
        case .notStored(let property, let model):
            localized(
                "\(property) is a to-many relation and is not stored. Import \(model) with a column for its reference.")
        case .unknownColumn(let column, let known):
            localized("The file has no column \"\(column)\". It has \(list(known)).")
        case .ambiguousColumn(let column):
            localized("The file has the column \"\(column)\" more than once. Rename all but one.")
        case .mappedTwice(let property):
            localized("\(property) gets its value from two columns. Map one of them.")
        case .nothingMapped(let known, let properties):
            localized(
                "No column of the file is named like a property (\(Words.list(properties))). Map some of its columns: \(list(known))."
            )
        case .missingProperties(let properties, let model):
            localized("\(model) needs a value for \(Words.list(properties)). Map a column to each.")
        case .unmatched(let property):
            localized("Records are to be known by \(property), and no column of the file fills it. Map one to it.")
        case .notUnique(let property, let model):
            localized(
                "Records cannot be known by \(property): several of \(model) may have the same. Take id, or a unique property."
            )
        case .tooManyRecords(let limit):
            localized("The file has more than \(limit) records. The command import takes it.")
        case .tooManyTogether(let limit):
            localized(
                "The file has more than \(limit) records, and they may need each other. The command import takes it.")
        case .emptyFile:
            localized("The file is empty. Its first line must name the columns.")
        case .jsonArray:
            localized("The file is a JSON array. Give one object a line, as `jq -c '.[]'` does.")
        case .semicolons:
            localized("The columns seem to be separated by semicolons. Separate them with commas.")
        case .tabs:
            localized("The columns seem to be separated by tabs. Separate them with commas.")
        case .lines(let problems, let more, _):
            problems.map(\.description).joined(separator: "\n")
                + (more > 0 ? "\n" + localized("and \(more) more") : "")
        }
    }

    /// A file may have a thousand columns.
    private static let mostNames = 20

    private func list(_ columns: [String]) -> String {
        let shown = columns.prefix(Self.mostNames).map { "\"\(Words.beginning(of: $0, longest: 60))\"" }
        guard columns.count > shown.count else { return Words.list(shown) }
        return Words.list(shown + [localized("\(columns.count - shown.count) more")])
    }
}
