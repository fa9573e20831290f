import AviaryDomain

extension MigrationStep {
    /// Makes every record of a model anew, one after the other, in bounded memory.
    func convert(_ conversion: ModelConversion, in connection: any WriterConnection) throws {
        guard let before = before?[conversion.source], let table = tables[conversion.target] else { return }
        let temporary = connection.dialect.name("aviary_new.\(conversion.target)")
        let number = connection.dialect.rowNumber
        try connection.run(table.createTable(named: temporary))
        let insertion = Query(
            "INSERT INTO \(temporary) (\(number), \(table.selection)) VALUES (\(SQL.placeholders(table.columns.count + 3)))"
        )
        let source = TableRecords(tables: self.before ?? tables, connection: connection)
        try source.enumerateRows(of: before) { row, record in
            let values = try converted(record, conversion, to: table)
            try connection.run(
                insertion,
                [.integer(row), .text(record.id.canonicalText), .integer(record.version)] + values
            )
        }
        try connection.run("DROP TABLE \(before.name)")
        try connection.run("ALTER TABLE \(temporary) RENAME TO \(table.name)")
        guard conversion.source != conversion.target else { return }
        let count = try TotalTable.count(conversion.source, in: connection)
        try TotalTable.remove(conversion.source, in: connection)
        try TotalTable.add(conversion.target, in: connection)
        try TotalTable.add(count, to: conversion.target, in: connection)
    }

    private func converted(
        _ record: Record, _ conversion: ModelConversion, to table: ModelTable
    ) throws -> [FieldValue] {
        let values: [FieldValue]
        do {
            values = try conversion.convert(record)
        } catch {
            let reason = (error as? any RedactedError)?.redacted ?? "\(type(of: error))"
            throw MigrationError.failed(
                stage: name ?? "",
                reason: "\(conversion.source) \(record.id.canonicalText) was not converted: \(reason)")
        }
        try table.model.check(values, of: record.id)
        return values
    }
}
