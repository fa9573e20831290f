import AviaryDomain

extension HistoryWriter {
    /// Told of both records, so that each one's history has it. The entry of the source's side is what is taken back.
    mutating func changed(
        _ link: Link, _ kind: RecordChange.Kind, of table: LinkTable, _ tables: ModelTables
    ) throws(EngineError) {
        for (position, end) in tables.ends(of: link, in: table).enumerated() {
            let other = position == 0 ? link.target : link.source
            guard let model = tables[end.side.end.own.model] else { continue }
            if keeps(model) {
                try changed(end.id, kind, property: end.side.end.own.property, other: other, in: model)
            } else if position == 0 {
                passOver(1)
            }
        }
    }
}
