import AviaryDomain
import Foundation

/// The conversion of a table's rows to lines, with all constant parts made once.
struct RecordLine {
    private struct Column {
        /// The index of the column, after the id and the version, which are no properties.
        let index: Int
        let isBoolean: Bool
        /// The range in ``pieces`` of the text before the value.
        let name: Range<Int>
    }

    /// All that is the same in each line, one behind the other.
    private let pieces: [UInt8]
    private let beginning: Range<Int>
    private let columns: [Column]

    init(_ table: ModelTable, includingSecrets: Bool) {
        var json = JSONWriter()
        json.raw("{\"model\":")
        json.text(table.model.name)
        json.raw(",\"id\":")
        beginning = 0..<json.count
        var columns: [Column] = []
        for (index, property) in table.model.storedProperties.enumerated() where includingSecrets || !property.isSecret
        {
            let start = json.count
            json.raw(columns.isEmpty ? ",\"values\":{" : ",")
            json.text(property.name)
            json.raw(":")
            columns.append(Column(index: index + 2, isBoolean: property.type == .boolean, name: start..<json.count))
        }
        self.columns = columns
        pieces = json.bytes
    }

    /// - Parameter row: Of ``ModelTable/selection``.
    func write(_ row: any Row, to json: inout JSONWriter) {
        pieces.withUnsafeBytes { pieces in
            json.raw(UnsafeRawBufferPointer(rebasing: pieces[beginning]))
            row.write(0, to: &json)
            json.raw(",\"version\":")
            json.integer(row.integer(1))
            if columns.isEmpty { json.raw(",\"values\":{") }
            for column in columns {
                json.raw(UnsafeRawBufferPointer(rebasing: pieces[column.name]))
                row.write(column.index, isBoolean: column.isBoolean, to: &json)
            }
            json.raw("}}\n")
        }
    }
}

extension Row {
    /// Texts as the engine keeps them, without a String in between.
    fileprivate func write(_ column: Int, isBoolean: Bool = false, to json: inout JSONWriter) {
        switch valueInPlace(column) {
        case .integer(let number) where isBoolean: json.boolean(number != 0)
        case .integer(let number): json.integer(number)
        case .real(let number): json.real(number)
        case .text(let bytes): json.text(bytes)
        case .blob(let bytes): json.text(Data(bytes).base64EncodedString())
        case .null: json.raw("null")
        }
    }
}
