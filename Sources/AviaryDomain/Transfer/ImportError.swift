/// An error that prevents the import of a file. Nothing of the file was stored.
package enum ImportError: Error, Sendable, Hashable {
    /// A mapping that is not `property=Column`.
    case malformedMapping
    case unknownProperty(String, model: String, known: [String])
    /// A mapping to a to-many relation, which has no value of its own.
    case notStored(property: String, model: String)
    case unknownColumn(String, known: [String])
    /// A mapped column whose name occurs more than once in the header.
    case ambiguousColumn(String)
    case mappedTwice(property: String)
    /// A file without a column that has the name of a property, imported without a mapping.
    case nothingMapped(known: [String], properties: [String])
    /// Required properties for which there is neither a column nor a default.
    case missingProperties([String], model: String)
    /// A property to match existing records by that no column fills.
    case unmatched(property: String)
    /// A property to match existing records by that is not unique.
    case notUnique(property: String, model: String)
    case emptyFile
    /// A file with more unique values and titles of other records than an import through a page keeps in memory.
    case tooManyValues(limit: Int)
    /// A file that must be stored as one batch and has too many records for one.
    case tooManyTogether(limit: Int)
    /// A file with one JSON array instead of one object per line.
    case jsonArray
    /// A gzip file that is damaged or incomplete.
    case damagedArchive
    /// A gzip file that has more bytes than allowed when it is decompressed.
    case expandedTooLarge(limit: Int)
    /// A file in UTF-16 with characters that do not exist.
    case notUTF16
    /// A value for all lines that does not fit its property.
    case unreadableConstant(property: String, problem: String)
    /// A file with more wrong lines than an import leaves out.
    case tooManyRejected(limit: Int)
    /// The problems in lines: the first hundred, the number of further ones, and the lines that have problems.
    case lines([LineError], more: Int, wrong: RejectedLines? = nil)
}

extension ImportError {
    /// The lines that have problems; nil when the error concerns the whole file.
    package var wrongLines: RejectedLines? {
        guard case .lines(let problems, _, let wrong) = self else { return nil }
        return wrong ?? RejectedLines(Set(problems.map(\.line)).sorted())
    }

    /// The problems in lines by their message and value; empty when the error concerns the whole file.
    package var groups: ProblemGroups {
        guard case .lines(let problems, _, let wrong) = self else { return ProblemGroups() }
        return wrong?.groups ?? ProblemGroups(problems)
    }
}

extension ImportError: CustomStringConvertible {
    /// The error in the words of the command line, which takes the names of properties and columns.
    package var description: String { words(labelledBy: nil) }

    /// Returns the error in the words of a page, which shows the labels of fields.
    package func words(in model: ModelSchema) -> String { words(labelledBy: model) }

    private func words(labelledBy schema: ModelSchema?) -> String {
        func label(_ name: String) -> String {
            guard let schema else { return name }
            return name == RecordImport.idName ? localized("ID") : schema.property(name)?.label ?? name
        }
        func title(_ model: String) -> String {
            guard let schema, schema.name == model else { return model }
            return TextFormatter.capitalized(schema.singularName)
        }
        return switch self {
        case .malformedMapping:
            localized("Write a mapping as a property and a column, such as name=\"Individual ID\".")
        case .unknownProperty(let property, let model, let known):
            localized("\(model) has no property “\(property)”. Available: \(TextFormatter.list(known)).")
        case .notStored(let property, let model):
            localized(
                "\(label(property)) is a to-many relation and can’t be imported. Import \(model) with a column for its reference."
            )
        case .unknownColumn(let column, let known):
            localized("The file has no column “\(column)”. Available: \(list(known)).")
        case .ambiguousColumn(let column):
            localized("The file has the column “\(column)” more than once. Rename the duplicates.")
        case .mappedTwice(let property):
            localized("Two columns are mapped to \(label(property)). Map only one.")
        case .nothingMapped(let known, let properties) where schema != nil:
            localized(
                "No column matches a field (\(TextFormatter.list(properties.map(label)))). Map some of the columns: \(list(known))."
            )
        case .nothingMapped(let known, let properties):
            localized(
                "No column matches a property (\(TextFormatter.list(properties))). Map some of the columns: \(list(known))."
            )
        case .missingProperties(let properties, let model) where schema == nil:
            localized(
                "\(title(model)) needs a value for \(TextFormatter.list(properties)). Name a column, as in --map \(properties[0])=Column, or one value for all records: --set \(properties[0])=…"
            )
        case .missingProperties(let properties, let model):
            properties.count == 1
                ? localized("\(title(model)) needs a value for \(label(properties[0])). Map a column to it.")
                : localized(
                    "\(title(model)) needs a value for \(TextFormatter.list(properties.map(label))). Map a column to each."
                )
        case .unmatched(let property):
            localized("No column is mapped to \(label(property)), which identifies the records. Map a column to it.")
        case .notUnique(let property, let model):
            localized(
                "\(label(property)) can’t identify records: several of \(title(model)) can have the same value. Use id or a unique property."
            )
        case .tooManyValues(let limit):
            localized(
                "The file has more than \(limit) values that must be compared with each other. Use the import command for larger files."
            )
        case .tooManyTogether(let limit):
            localized(
                "The file has more than \(limit) records that can refer to each other. Use the import command for larger files."
            )
        case .emptyFile:
            localized("The file is empty. Put the column names in its first line.")
        case .jsonArray:
            localized("The file is a JSON array. Put each object on one line, as `jq -c '.[]'` does.")
        case .damagedArchive: localized("This gzip file is damaged or incomplete. Compress or copy it again.")
        case .expandedTooLarge(let limit):
            localized(
                "This file is larger than \(TextFormatter.size(limit)) when it is decompressed. Use the import command for larger files."
            )
        case .notUTF16: localized("The file is not UTF-16 text. Save it with the encoding UTF-8.")
        case .unreadableConstant(let property, let problem): "\(property): \(problem)"
        case .tooManyRejected(let limit):
            localized("More than \(limit) lines have problems. Check whether the file belongs to this model.")
        case .lines(let problems, let more, _):
            problems.map(\.description).joined(separator: "\n")
                + (more > 0 ? "\n" + localized("and \(more) more") : "")
        }
    }

    /// The largest number of column names in a message. A file may have a thousand columns.
    private static let mostNames = 20

    private func list(_ columns: [String]) -> String {
        let shown = columns.prefix(Self.mostNames).map {
            TextFormatter.quoted(TextFormatter.beginning(of: $0, longest: 60))
        }
        guard columns.count > shown.count else { return TextFormatter.list(shown) }
        return TextFormatter.list(shown + [localized("\(columns.count - shown.count) more")])
    }
}
