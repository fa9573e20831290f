import AviaryDomain
import Foundation

/// A reader of one page of a list that also finds out whether there are more records on either side.
struct PageReader {
    private enum Side { case next, previous }

    let query: ListStatement
    let reader: RecordReader
    let connection: any Connection
    let isAscending: Bool
    let size: Int
    /// Indicates whether the statements return ids, whose records are then read separately.
    var readsIDs = false

    func page(_ cursor: PageCursor?) throws -> Page {
        let total = try RecordCountTable.count(reader.table.model.name, in: connection)
        switch cursor {
        case nil:
            let (records, hasMore) = try walk(.next, beyond: nil)
            return Page(records: records, previous: nil, next: hasMore ? records.last.map(position) : nil, total: total)
        case .after(let start):
            let (records, hasMore) = try walk(.next, beyond: start)
            return Page(
                records: records, previous: try neighbour(.previous, of: records.first, orFrom: start),
                next: hasMore ? records.last.map(position) : nil, total: total
            )
        case .before(let end):
            let (found, hasMore) = try walk(.previous, beyond: end)
            let records = Array(found.reversed())
            return Page(
                records: records, previous: hasMore ? records.first.map(position) : nil,
                next: try neighbour(.next, of: records.last, orFrom: end), total: total
            )
        }
    }

    /// Returns a page's records in the order of the walk, and whether more records follow them.
    private func walk(_ side: Side, beyond start: KeysetPosition?) throws -> (records: [Record], hasMore: Bool) {
        var records = try read(side, beyond: start, limit: size + 1)
        let hasMore = records.count > size
        if hasMore { records.removeLast() }
        return (records, hasMore)
    }

    /// Returns the position at which the page on that side begins; nil if there are no more records.
    private func neighbour(
        _ side: Side, of edge: Record?, orFrom cursor: KeysetPosition
    ) throws -> KeysetPosition? {
        // On an empty page the neighbour is the cursor's own record, which the cursor's range excludes.
        let from = edge.map(position) ?? KeysetPosition(value: cursor.value, id: isUpwards(side) ? .least : .greatest)
        return try read(side, beyond: from, limit: 1).isEmpty ? nil : from
    }

    private func read(_ side: Side, beyond start: KeysetPosition?, limit: Int) throws -> [Record] {
        let upwards = isUpwards(side)
        var records: [Record] = []
        for range in query.ranges(beyond: start, upwards: upwards) where records.count < limit {
            let sql = query.sql(range, upwards: upwards), values = query.parameters(range, limit: limit - records.count)
            records +=
                readsIDs
                ? try reader.records(of: connection.rows(sql, values) { $0.value(0) }, in: connection)
                : try connection.rows(sql, values, read: reader.record)
        }
        return records
    }

    private func isUpwards(_ side: Side) -> Bool {
        (side == .next) == isAscending
    }

    private func position(_ record: Record) -> KeysetPosition {
        let value = query.sortIndex.flatMap { $0 < record.values.count ? record.values[$0] : nil } ?? .null
        return KeysetPosition(value: value, id: record.id)
    }
}

extension UUID {
    fileprivate static let least = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    fileprivate static let greatest = UUID(
        uuid: (
            255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
        ))
}

/// An error of a request that does not fit the model. The caller answers with "not found".
package enum PageRequestError: Error, Sendable, Hashable, CustomStringConvertible {
    case unknownProperty(model: String, property: String)
    /// A property without an index to sort by. Sorting without one would read the whole table.
    case notSortable(model: String, property: String)

    package var description: String {
        switch self {
        case .unknownProperty(let model, let property): "\(model) stores no property \"\(property)\"."
        case .notSortable(let model, let property):
            "\(model) cannot be sorted by \(property). Give the admin that column, so that it gets an index."
        }
    }
}
