import AviaryDomain

// FTS5 writes the words of each transaction into a segment of its own, and merges segments of a level into one of the next. It
// would do so for each 64 pages that it writes, with all of the work in one transaction: each 64th save took 40 ms
// instead of 4, and a step of a long change up to 130. Its own merging is therefore off, and the store merges a few pages
// at a time. FTS5 still merges a level with 64 segments at once, which only happens if the store does not merge.
extension SearchIndexes {
    /// The least number of pages that a batch merges, in about 3 ms.
    private static let pagesPerBatch = 16
    /// The number of pages that a batch merges at most for each of its changes. A text of 2,000 characters is written into
    /// four.
    private static let pagesPerChange = 32
    /// The number of pages that a step merges that does nothing else, in about 12 ms.
    fileprivate static let pagesPerStep = 64
    /// The number of segments of a level from which a long change pauses for a step that merges. FTS5 merges from 4 on.
    static let manySegments = 8
    /// The number of segments of a level from which even single records merge many pages, in about 50 ms.
    private static let tooManySegments = 32
    private static let pagesIfTooMany = 256

    /// Merges a part of the segments of the indexes that the open transaction has changed.
    ///
    /// A few pages are enough for single records. Larger batches merge as much as they write.
    ///
    /// - Parameters:
    ///   - changes: The number of changes of the transaction.
    ///   - debts: The pages that are to be merged, by the names of the models.
    func merge(
        _ tables: [SearchTable], after changes: Int, _ debts: inout [String: MergeDebt], in connection: any Connection
    ) throws {
        for table in tables {
            guard let merging = table.merging, let segments = try TextIndexSegments(merging, in: connection) else {
                continue
            }
            var debt = debts[table.model.name] ?? MergeDebt()
            defer { debts[table.model.name] = debt }
            debt.add(segments)
            guard segments.isMergeDue() else {
                debt.pages = 0
                continue
            }
            let isUrgent = segments.isMergeDue(fromSegments: Self.tooManySegments)
            let most = max(changes * Self.pagesPerChange, isUrgent ? Self.pagesIfTooMany : 0)
            let pages = max(Self.pagesPerBatch, min(debt.pages, most))
            try connection.run(merging.merge, .integer(Int64(pages)))
            debt.pages = max(0, debt.pages - pages)
            debt.knownPages = try TextIndexSegments(merging, in: connection)?.pages
        }
    }

    /// Returns the index that has a level of so many segments; nil if there is none.
    ///
    /// - Parameter excluded: The names of models whose indexes are left out.
    func due(fromSegments least: Int, except excluded: Set<String>, in connection: any Connection) throws
        -> SearchTable?
    {
        try tables.first { table in
            guard let merging = table.merging, !excluded.contains(table.model.name) else { return false }
            return try TextIndexSegments(merging, in: connection)?.isMergeDue(fromSegments: least) ?? false
        }
    }
}

extension SearchTable {
    /// Merges all segments that are due, for a store that nobody waits for.
    func mergeAll(in connection: any Connection) throws {
        guard let merging else { return }
        var last: TextIndexSegments?
        while let segments = try TextIndexSegments(merging, in: connection), segments.isMergeDue(), segments != last {
            try connection.run(merging.merge, .integer(1000))
            last = segments
        }
    }
}

extension Store {
    /// Merges a part of a text index, in a transaction of its own.
    ///
    /// A damaged index is rebuilt. An index that cannot be merged is left out until the next start.
    ///
    /// - Parameter least: The number of segments of a level from which it is merged.
    /// - Returns: False if there is nothing to merge.
    func mergeTextIndex(fromSegments least: Int = TextIndexSegments.leastMerged) throws -> Bool {
        var model: String?
        do {
            let excluded = maintenance.modelsWithoutMerging
            guard let table = try tables.search.due(fromSegments: least, except: excluded, in: connection),
                let merging = table.merging
            else { return false }
            model = table.model.name
            mergeDebts[table.model.name] = nil
            let before = try TextIndexSegments(merging, in: connection)
            try transaction { try connection.run(merging.merge, .integer(Int64(SearchIndexes.pagesPerStep))) }
            if try TextIndexSegments(merging, in: connection) == before {
                maintenance.modelsWithoutMerging.insert(table.model.name)
            }
        } catch let error as EngineError
            where (error.kind == .damage || error.kind == .other) && SearchIndexes.isConcerned(by: error.operation)
        {
            // A second attempt would fail in the same way.
            maintenance.modelsWithoutMerging.formUnion(model.map { [$0] } ?? tables.search.tables.map(\.model.name))
            rebuildSearchIndex(after: error, then: [])
            return false
        }
        checkpointIfDue()
        return true
    }
}

/// The statements that merge the segments of a text index.
package struct TextIndexMerging: Sendable {
    /// The query for the record of the segments.
    let segments: String
    /// The statement that merges as many pages as its parameter says.
    let merge: String
    /// The query for the number of segments from which the engine merges them itself, 0 if it does not; no row for the
    /// default.
    let automatic: String
    /// The statements after which the engine does not merge them itself.
    let disabling: [String]
    /// The statement that sets the amount of text, in bytes, that the engine collects in memory for a segment.
    let segmentSize: @Sendable (Int) -> String

    /// Returns the statements that fill an index, with larger segments.
    ///
    /// A million names of 25 characters take 2.6 s with segments of 8 MiB, and 3.5 s with the 1 MiB of FTS5.
    func filled(_ filling: [String]) -> [String] { [segmentSize(8 << 20)] + filling + [segmentSize(1 << 20)] }

    func disableAutomatic(in connection: any Connection) throws {
        do {
            guard try connection.firstRow(automatic, read: { $0.integer(0) }) != 0 else { return }
            for statement in disabling { try connection.run(statement) }
        } catch let error as EngineError where error.kind == .other {
            // The index lacks a table. The next change of its model rebuilds it.
        }
    }
}

/// The pages of a text index that are to be merged, because others were written: each page is merged once into each level.
struct MergeDebt {
    var pages = 0
    /// The number of pages of all segments when they were last looked at.
    var knownPages: Int?

    /// Adds the pages that were written since.
    mutating func add(_ segments: TextIndexSegments) {
        let all = segments.pages
        if let knownPages { pages += max(0, all - knownPages) * segments.levels.count }
        knownPages = all
    }
}

/// The segments of a text index of FTS5.
struct TextIndexSegments: Equatable {
    struct Level: Equatable {
        /// Indicates whether a part of the level's segments was merged into one of the next level.
        let isMerging: Bool
        /// The number of pages of each segment, from the oldest to the newest.
        let pages: [Int]
    }

    /// The number of segments from which FTS5 merges a level by default.
    static let leastMerged = 4

    let levels: [Level]

    /// Reads the segments in the file; nil if the index is empty.
    init?(_ merging: TextIndexMerging, in connection: any Connection) throws {
        guard let record = try connection.firstRow(merging.segments, read: { $0.blob(0) }) else { return nil }
        self.init(record)
    }

    /// Decodes the record; nil if it has another form.
    ///
    /// Four bytes are followed by the numbers of levels, of all segments and of written pages. Each level has the number of
    /// segments that are being merged, the number of its segments, and for each its id, and the numbers of its first and
    /// last page.
    init?(_ record: [UInt8]) {
        var rest = record.dropFirst(4)
        guard let levelCount = rest.nextNumber(), rest.nextNumber() != nil, rest.nextNumber() != nil else { return nil }
        var levels: [Level] = []
        for _ in 0..<levelCount {
            guard let merging = rest.nextNumber(), let count = rest.nextNumber() else { return nil }
            var pages: [Int] = []
            for _ in 0..<count {
                guard rest.nextNumber() != nil, let first = rest.nextNumber(), let last = rest.nextNumber(),
                    first <= last
                else { return nil }
                pages.append(last - first + 1)
            }
            levels.append(Level(isMerging: merging > 0, pages: pages))
        }
        self.levels = levels
    }

    /// The number of pages of all segments.
    var pages: Int { levels.reduce(0) { $0 + $1.pages.reduce(0, +) } }

    /// Indicates whether there are segments to merge.
    func isMergeDue(fromSegments least: Int = leastMerged) -> Bool {
        levels.contains { $0.pages.count >= least || least == Self.leastMerged && $0.isMerging }
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns a number in the form of SQLite: seven bits a byte, the highest first.
    fileprivate mutating func nextNumber() -> Int? {
        var number: UInt64 = 0
        for place in 1...6 {
            guard let byte = popFirst() else { return nil }
            // The numbers of a sound record are smaller, and none of their sums overflows.
            guard place < 6 else { return nil }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return Int(number)
    }
}
