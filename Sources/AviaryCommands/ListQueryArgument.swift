import ArgumentParser
import AviaryAdmin
import AviaryDomain
import BrowseFeature
import Foundation

/// The query of a list on the command line: the part of a list's address after the question mark.
struct ListQueryArgument {
    private let fields: [FormField]
    private let query: ListQuery?
    private let configuration: ModelConfiguration?
    /// The zone of the admin, whose days the filters of a list's address are.
    private let zone: TimeZone?

    /// Parses a query.
    ///
    /// - Throws: `ValidationError` for a column or filter that the list does not have.
    init(_ text: String, of model: ModelSchema, in app: AppDefinition) throws {
        let configuration = app.configurations.first { $0.schema.name == model.name }
        let text = text.hasPrefix("?") ? String(text.dropFirst()) : text
        do {
            let fields = try FormEncoding.decode(text.utf8)
            query = try configuration.map { (configuration) throws(ListQueryError) in
                try ListQuery(fields, for: configuration)
            }
            self.fields = fields
            self.configuration = configuration
            zone = app.timeZone
        } catch let error as ListQueryError {
            throw ValidationError("--query: \(error.words)")
        } catch {
            throw ValidationError(
                "--query: Invalid query. Copy the part after the question mark from a list’s address.")
        }
    }

    /// The export of the list.
    var export: ExportQuery {
        guard let query, let configuration else { return ExportQuery() }
        return PageTimeZone.$current.withValue(zone) { query.exported(for: configuration) }
    }

    /// The conditions of the records to change.
    ///
    /// A list ignores what it does not know, and empty fields. A change of too many records is worse than an error.
    ///
    /// - Throws: `ValidationError` if the query has another part than a search and filters, or finds all records.
    var conditions: [QueryExpression] {
        get throws {
            guard let query, let configuration else {
                throw ValidationError("--query: The admin has no list of this model.")
            }
            for field in fields {
                switch field.name {
                case "after", "before", "size": throw ValidationError("--query: \(ListQueryError.invalidCursor.words)")
                case "sort": continue
                case let name where name == "q" || name.hasPrefix("filter."):
                    guard !field.value.allSatisfy(\.isWhitespace) else {
                        throw ValidationError("--query: \(name) has no value.")
                    }
                default: throw ValidationError("--query: “\(field.name.printable)” is neither q nor filter.FIELD.")
                }
            }
            guard query.isFiltered else {
                throw ValidationError("--query: The query finds all records. Add --all to mean that.")
            }
            return PageTimeZone.$current.withValue(zone) { query.conditions(for: configuration) }
        }
    }
}

extension ListQueryError {
    fileprivate var words: String {
        switch self {
        case .unknownColumn: "The list can’t be sorted by this column."
        case .invalidCursor, .invalidSize: "The query selects a page. Remove after, before and size."
        case .ambiguous(let name): "It says \(name) more than once. Keep only one."
        case .unknownFilter: "This filter doesn’t exist."
        case .unreadable(let filter, let advice): "\(filter): \(advice)"
        case .tooManyValues(let filter): "\(filter) takes up to 50 values."
        case .noSearch: "The list can’t be searched."
        case .searchTooLong: "Search for at most 200 characters."
        case .unreadableSearch: "The search contains an invalid character."
        }
    }
}
