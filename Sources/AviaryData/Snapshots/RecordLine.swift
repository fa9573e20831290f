import AviaryDomain
import Foundation

/// How a table's rows become lines, with all that does not change made once.
struct RecordLine {
    private let beginning: [UInt8]
    /// `,"name":` for each stored property; the first without a comma.
    private let names: [[UInt8]]
    private let isBoolean: [Bool]
    /// Behind those that no property has: the id and the version.
    private let columns: [Int]

    init(_ table: ModelTable, includingSecrets: Bool) {
        let properties = table.model.storedProperties.enumerated().filter { includingSecrets || !$1.isSecret }
        var json = JSONWriter()
        json.raw("{\"model\":")
        json.text(table.model.name)
        json.raw(",\"id\":")
        beginning = json.bytes
        names = properties.enumerated().map { index, column in
            var json = JSONWriter()
            if index > 0 { json.raw(",") }
            json.text(column.element.name)
            json.raw(":")
            return json.bytes
        }
        isBoolean = properties.map { $0.element.type == .boolean }
        columns = properties.map { $0.offset + 2 }
    }

    /// - Parameter row: Of ``ModelTable/selection``.
    func write(_ row: any Row, to json: inout JSONWriter) {
        json.raw(beginning)
        row.write(0, to: &json)
        json.raw(",\"version\":")
        json.integer(row.integer(1))
        json.raw(",\"values\":{")
        for (index, name) in names.enumerated() {
            json.raw(name)
            row.write(columns[index], isBoolean: isBoolean[index], to: &json)
        }
        json.raw("}}\n")
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
