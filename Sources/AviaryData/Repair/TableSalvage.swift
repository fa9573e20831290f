import AviaryDomain

/// A reader of the readable rows of a table whose pages may be damaged.
struct TableSalvage {
    /// The number of rows after damage that are tried one by one. Then the steps become longer.
    private static let singleSteps: Int64 = 20_000
    private static let batch = 500

    let connection: any Connection

    /// Reads all readable rows in the order of their numbers.
    ///
    /// - Parameter read: A function that receives the columns of each row.
    /// - Returns: A Boolean value that indicates whether all rows were read.
    func forEachRow(of table: String, _ columns: [String], read: ([FieldValue]) throws -> Void) throws -> Bool {
        let number = connection.dialect.rowNumber
        let sql =
            "SELECT \(number), \(columns.joined(separator: ", ")) FROM \(table) WHERE \(number) > ? ORDER BY \(number) LIMIT ?"
        var last = Int64.min
        var isWhole = true
        while true {
            var count = 0
            do {
                let row = try connection.statement(sql)
                defer { row.reset() }
                try row.bind([.integer(last), .integer(Int64(Self.batch))])
                while try row.step() {
                    guard row.integer(0) > last else { throw Disorder() }
                    last = row.integer(0)
                    count += 1
                    try read(row.values(1..<columns.count + 1))
                }
                if count < Self.batch { return isWhole }
            } catch  where error.isDamage {
                isWhole = false
                guard let next = try nextRow(after: last, sql) else { return false }
                last = next - 1
            }
        }
    }

    /// An order of rows that an undamaged table does not have.
    struct Disorder: Error {}

    /// Returns the number of the next readable row; nil if none is found.
    private func nextRow(after last: Int64, _ sql: String) throws -> Int64? {
        var (failed, step) = (last, Int64(1))
        for attempt in 0..<(Self.singleSteps + 64) {
            if attempt >= Self.singleSteps { step *= 2 }
            let (start, isTooLarge) = (failed == .min ? 0 : failed).addingReportingOverflow(step)
            if isTooLarge { return nil }
            switch try probe(from: start, sql) {
            case .row(let number): return number
            case .end: return nil
            case .damaged: failed = start
            }
        }
        return nil
    }

    private enum Probe {
        case row(Int64), end, damaged
    }

    private func probe(from start: Int64, _ sql: String) throws -> Probe {
        do {
            let found = try connection.firstRow(sql, [.integer(start - 1), .integer(1)]) { $0.integer(0) }
            guard let found else { return .end }
            return found >= start ? .row(found) : .damaged
        } catch  where error.isDamage {
            return .damaged
        }
    }

    /// Reads the rows of a query from each end until damage. Some rows may be read twice.
    ///
    /// - Parameter order: Columns that an index has in this order.
    /// - Returns: A Boolean value that indicates whether all rows were read.
    func forEachRow(
        _ selection: String, orderedBy order: [String], columns: Int, read: ([FieldValue]) throws -> Void
    ) throws -> Bool {
        for direction in ["", " DESC"] {
            do {
                let row = try connection.statement(
                    "\(selection) ORDER BY \(order.map { $0 + direction }.joined(separator: ", "))")
                defer { row.reset() }
                while try row.step() { try read(row.values(0..<columns)) }
                return true
            } catch  where error.isDamage {
                continue
            }
        }
        return false
    }
}

extension Error {
    /// Indicates whether the file is damaged, as opposed to an error of the operation.
    fileprivate var isDamage: Bool {
        if let error = self as? EngineError { return error.kind == .damage }
        return self is TableSalvage.Disorder
    }
}
