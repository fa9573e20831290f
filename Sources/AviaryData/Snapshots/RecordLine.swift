import AviaryDomain
import CSQLite

/// How a table's rows become lines, with all that does not change made once.
struct RecordLine {
    private let beginning: [UInt8]
    /// `,"name":` for each stored property; the first without a comma.
    private let names: [[UInt8]]
    private let isBoolean: [Bool]

    init(_ table: ModelTable) {
        var json = JSONWriter()
        json.raw("{\"model\":")
        json.text(table.model.name)
        json.raw(",\"id\":")
        beginning = json.bytes
        names = table.model.storedProperties.enumerated().map { index, property in
            var json = JSONWriter()
            if index > 0 { json.raw(",") }
            json.text(property.name)
            json.raw(":")
            return json.bytes
        }
        isBoolean = table.model.storedProperties.map { $0.type == .boolean }
    }

    /// - Parameter row: Of ``ModelTable/selection``.
    func write(_ row: Statement, to json: inout JSONWriter) {
        json.raw(beginning)
        row.writeText(0, to: &json)
        json.raw(",\"version\":")
        json.integer(row.integer(1))
        json.raw(",\"values\":{")
        for (index, name) in names.enumerated() {
            json.raw(name)
            row.writeValue(Int32(index + 2), isBoolean: isBoolean[index], to: &json)
        }
        json.raw("}}\n")
    }
}

extension Statement {
    fileprivate func writeValue(_ column: Int32, isBoolean: Bool, to json: inout JSONWriter) {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER where isBoolean: json.boolean(integer(column) != 0)
        case SQLITE_INTEGER: json.integer(integer(column))
        case SQLITE_FLOAT: json.real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: writeText(column, to: &json)
        default: json.raw("null")
        }
    }

    /// As SQLite keeps it, without a String in between.
    fileprivate func writeText(_ column: Int32, to json: inout JSONWriter) {
        let bytes = sqlite3_column_text(handle, column)
        json.text(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
