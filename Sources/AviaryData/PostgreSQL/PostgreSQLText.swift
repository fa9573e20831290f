import AviaryDomain

/// A statement as the store writes it, in the form in which the server takes it.
struct PostgreSQLText {
    /// The role of a statement in a transaction.
    enum Kind: Equatable {
        case begin, commit, rollBack
        case savepoint, release, rollBackToSavepoint
        case reading
        /// An insertion of given values. A row that violates a constraint of uniqueness is not inserted.
        case insertion
        case writing
        case definition
    }

    let sql: String
    /// The text of an insertion that fails if there is such a row; the same as `sql` for other statements.
    let assumingSQL: String
    /// The text of an insertion of many rows, whose parameters are arrays; nil for other statements.
    let groupSQL: String?
    let kind: Kind
    /// The number of parameters.
    let parameters: Int
    /// Indicates whether the statement writes to one of the store's own tables, whose rows violate no constraint.
    let concernsOwnTable: Bool

    /// Translates a statement.
    ///
    /// - Parameters:
    ///   - schema: The quoted name of the schema that contains the store.
    ///   - isOfWriter: Indicates whether the statement is one of a running store, for which nobody looks at the answer to an
    ///     insertion into an own table. It must fail if there is such a row.
    init(_ text: String, schema: String, isOfWriter: Bool = false) {
        kind = Kind(text)
        var translation = Translation(schema: schema)
        translation.translate(text)
        parameters = translation.parameters
        let target = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true).dropFirst().first {
            $0 != "INTO" && $0 != "FROM"
        }
        concernsOwnTable =
            target.map { $0.hasPrefix("aviary_") && !$0.hasPrefix(PostgreSQLDialect.storedPrefix) } ?? false
        let isQuiet = kind == .insertion && !(isOfWriter && concernsOwnTable)
        assumingSQL = translation.output
        groupSQL = kind == .insertion ? Self.group(translation.output, parameters) : nil
        sql = translation.output + (isQuiet ? " ON CONFLICT DO NOTHING" : "")
    }

    /// Returns the text that inserts many rows, if the insertion takes a parameter for each column.
    private static func group(_ sql: String, _ parameters: Int) -> String? {
        let placeholders = (0..<parameters).map { "$\($0 + 1)" }.joined(separator: ", "),
            values = "VALUES (\(placeholders))"
        guard parameters > 0, sql.hasSuffix(" " + values) else { return nil }
        return sql.dropLast(values.count) + "SELECT * FROM unnest(\(placeholders))"
    }
}

extension PostgreSQLText.Kind {
    /// Indicates whether a statement can change something.
    var writes: Bool {
        switch self {
        case .insertion, .writing, .definition: true
        case .begin, .commit, .rollBack, .savepoint, .release, .rollBackToSavepoint, .reading: false
        }
    }

    init(_ text: String) {
        switch text.prefix(while: { $0 != " " && $0 != ";" }) {
        case "SELECT", "WITH", "SHOW": self = .reading
        case "INSERT":
            self = text.contains(" VALUES (") && !text.contains("ON CONFLICT") ? .insertion : .writing
        case "UPDATE", "DELETE": self = .writing
        case "BEGIN": self = .begin
        case "COMMIT": self = .commit
        case "SAVEPOINT": self = .savepoint
        case "RELEASE": self = .release
        case "ROLLBACK": self = text.hasPrefix("ROLLBACK TO") ? .rollBackToSavepoint : .rollBack
        default: self = .definition
        }
    }
}

/// The translation of the placeholders `?` and `?1` to `$1`, and of ``PostgreSQLDialect/storedPrefix``, outside of quotes and
/// comments.
private struct Translation {
    let schema: String
    private(set) var output = ""
    private(set) var parameters = 0

    init(schema: String) {
        self.schema = schema
    }

    mutating func translate(_ text: String) {
        let bytes = Array(text.utf8), prefix = Array(PostgreSQLDialect.storedPrefix.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                // A doubled quotation mark ends one part and begins the next.
                let end = bytes[(position + 1)...].firstIndex(of: byte) ?? bytes.count - 1
                result += bytes[position...end]
                position = end + 1
            case UInt8(ascii: "$") where bytes[position...].starts(with: Array("$$".utf8)):
                var end = position + 2
                while end < bytes.count, !bytes[end...].starts(with: Array("$$".utf8)) { end += 1 }
                end = min(end + 2, bytes.count)
                result += bytes[position..<end]
                position = end
            case UInt8(ascii: "?"):
                position += 1
                var number = 0
                while position < bytes.count, case 0x30...0x39 = bytes[position] {
                    number = number * 10 + Int(bytes[position] - 0x30)
                    position += 1
                }
                if number == 0 { number = parameters + 1 }
                parameters = max(parameters, number)
                result += Array("$\(number)".utf8)
            case prefix[0] where bytes[position...].starts(with: prefix):
                result += Array((schema + ".").utf8)
                position += prefix.count
            default:
                result.append(byte)
                position += 1
            }
        }
        output = String(decoding: result, as: UTF8.self)
    }
}
