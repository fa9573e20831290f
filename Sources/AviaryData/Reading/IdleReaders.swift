/// The readers of a pool that nobody uses.
struct IdleReaders {
    private let capacity: Int
    private var readers: [Reader] = []
    private var isClosed = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The one used last, whose cache is warmest; nil when there is none.
    mutating func take() throws(EngineError) -> Reader? {
        guard !isClosed else {
            throw EngineError(
                kind: .other, code: nil, message: "the store is closed", operation: "read after the pool was closed")
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
