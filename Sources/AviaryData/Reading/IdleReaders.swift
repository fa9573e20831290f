import CSQLite

/// The readers of a pool that nobody uses.
struct IdleReaders {
    private let capacity: Int
    private var readers: [Reader] = []
    private var isClosed = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The one used last, whose cache is warmest; nil when there is none.
    mutating func take() throws(SQLiteError) -> Reader? {
        guard !isClosed else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, operation: "read after the pool was closed")
        }
        return readers.popLast()
    }

    mutating func put(_ reader: Reader) {
        guard !isClosed, readers.count < capacity else { return }
        readers.append(reader)
    }

    mutating func close() {
        isClosed = true
        readers.removeAll()
    }
}
