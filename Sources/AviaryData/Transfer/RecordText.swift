import AviaryDomain

/// A writer of the lines of an export.
struct RecordText {
    let format: ExportFormat
    let properties: ExportedProperties
    private(set) var bytes: [UInt8] = []

    init(_ properties: ExportedProperties, as format: ExportFormat) {
        self.properties = properties
        self.format = format
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the first line of a CSV file. JSON Lines has none.
    mutating func writeHeader() {
        guard format == .csv else { return }
        CSVLine.write(["id"] + properties.all.map(\.property.name), to: &bytes)
    }

    /// Writes a record.
    ///
    /// - Parameter links: The ids of the linked records, for each many-to-many property.
    mutating func write(_ id: String, _ values: [FieldValue], links: [[String]]) {
        switch format {
        case .csv: writeCells(id, values, links[...])
        case .jsonl: writeObject(id, values, links[...])
        }
    }

    /// Writes a record that no longer exists, as an object with its id and the commit that deleted it.
    mutating func writeDeleted(_ id: String, by commit: Int64) {
        var json = JSONWriter()
        json.raw("{\"id\":")
        json.text(id)
        json.raw(",\"deleted\":true,\"commit\":")
        json.integer(commit)
        json.raw("}\n")
        bytes += json.bytes
    }

    private mutating func writeCells(_ id: String, _ values: [FieldValue], _ links: ArraySlice<[String]>) {
        var links = links
        var cells = [id]
        for (property, source) in properties.all {
            switch source {
            case .value(let index):
                cells.append(values.indices.contains(index) ? property.csvText(of: values[index]) : "")
            case .links: cells.append((links.popFirst() ?? []).joined(separator: ";"))
            }
        }
        CSVLine.write(cells, to: &bytes)
    }

    private mutating func writeObject(_ id: String, _ values: [FieldValue], _ links: ArraySlice<[String]>) {
        var links = links
        var json = JSONWriter()
        json.raw("{\"id\":")
        json.text(id)
        for (property, source) in properties.all {
            json.raw(",")
            json.text(property.name)
            json.raw(":")
            switch source {
            case .value(let index):
                json.write(values.indices.contains(index) ? values[index] : .null, of: property.type)
            case .links: json.list(links.popFirst() ?? []) { $0.text($1) }
            }
        }
        json.raw("}\n")
        bytes += json.bytes
    }
}

extension JSONWriter {
    /// Writes a value: a number as a number, a decimal with all of its digits, JSON unchanged, and anything else as
    /// text.
    mutating func write(_ value: FieldValue, of type: PropertyType) {
        switch (type, value) {
        case (_, .null): raw("null")
        case (.boolean, .integer(let flag)): boolean(flag != 0)
        case (.decimal, .integer): raw(Array(type.formText(of: value).utf8))
        case (.float, .real(let number)): raw(Array(Float(number).description.utf8))
        case (_, .integer(let number)): integer(number)
        case (_, .real(let number)): real(number)
        // A line break in JSON is never part of a value.
        case (.json, .text(let json)), (.array, .text(let json)):
            raw(json.utf8.map { $0 == 10 || $0 == 13 ? UInt8(ascii: " ") : $0 })
        default: text(type.formText(of: value))
        }
    }
}

/// A line of CSV (RFC 4180).
enum CSVLine {
    static func write(_ cells: [String], to bytes: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(cell, to: &bytes)
        }
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    private static func write(_ cell: String, to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let needsQuotes = cell.utf8.contains { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 10 || $0 == 13 }
        guard needsQuotes else { return bytes.append(contentsOf: cell.utf8) }
        bytes.append(quote)
        for byte in cell.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }
}
