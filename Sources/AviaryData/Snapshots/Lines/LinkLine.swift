import AviaryDomain

/// The conversion of a link table's rows to lines.
struct LinkLine {
    private let beginning: [UInt8]

    init(_ table: LinkTable) {
        var json = JSONWriter()
        json.raw("{\"link\":{\"model\":")
        json.text(table.relation.source.model)
        json.raw(",\"property\":")
        json.text(table.relation.source.property)
        json.raw(",\"id\":")
        beginning = json.bytes
    }

    /// - Parameter row: Of ``LinkTable/snapshotSelection``.
    func write(_ row: any Row, to json: inout JSONWriter) {
        let link = row.link(0)
        json.raw(beginning)
        json.text(link.source)
        json.raw(",\"target\":")
        json.text(link.target)
        json.raw("}}\n")
    }
}
