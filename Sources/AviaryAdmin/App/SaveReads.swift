public import AviaryDomain
import Synchronization

/// The records that save hooks can read.
struct SaveReadSource: Sendable {
    let schema: Schema
    /// Returns the records of a model of the schema.
    let records: @Sendable (ModelSchema) -> any ModelRecords
    /// Returns the number of the newest commit.
    let newestCommit: @Sendable () throws -> Int64
}

/// The reads of the hooks of one change set, and the records that the change set saves.
final class SaveReads: Sendable {
    private struct State {
        var commit: Int64?
        var models: Set<String> = []
    }

    /// The greatest number of records that a read returns.
    static let largestRead = 10_000

    /// The records; nil for a check without a store, in which hooks find nothing.
    private let source: SaveReadSource?
    private let limit: Duration
    private let deadline: MonotonicTime
    private let state = Mutex(State())
    private let earlier: EarlierRecords

    /// Creates the reads of a change set.
    ///
    /// - Parameter earlier: The records that it saves already.
    init(
        _ source: SaveReadSource?, until deadline: MonotonicTime, limit: Duration,
        behind earlier: EarlierRecords = EarlierRecords()
    ) {
        self.earlier = earlier
        self.source = source
        self.deadline = deadline
        self.limit = limit
    }

    /// The reads so far, on which the change set relies; nil for none.
    var basis: ReadBasis? {
        state.withLock { state in state.commit.map { ReadBasis(commit: $0, models: state.models) } }
    }

    /// Notes a record that the change set saves, as its hooks left it.
    func note(_ record: Record, of model: ModelSchema) { earlier.note(record, of: model) }

    func saved<M: Model>(_ model: M.Type) throws -> [M] { try earlier.values(model) }

    /// Runs a read within the time of the save; nil for a check without a store.
    func read<M: Model, Value: Sendable>(
        _ model: M.Type, and related: [ModelSchema] = [],
        _ body: @escaping @Sendable (Repository<M>) async throws -> Value
    ) async throws -> Value? {
        guard let source else { return nil }
        guard source.schema.model(M.modelName) != nil else {
            throw QueryError(
                model: M.modelName, expression: "A read in a save hook",
                advice: "is of a model that the application does not declare. Add a ModelAdmin for it.")
        }
        guard !deadline.isPast else { throw ReadError.tookTooLong(limit: limit) }
        try state.withLock { state in
            // The number precedes the reads, so that a commit between them is noticed.
            if state.commit == nil { state.commit = try source.newestCommit() }
            state.models.formUnion([M.modelName] + related.map(\.name))
        }
        let repository = Repository<M>(source.records(M.schema), author: "")
        return try await withThrowingTaskGroup(of: Value?.self) { [deadline, limit] group in
            group.addTask { try await body(repository) }
            group.addTask {
                try await Task.sleep(for: deadline.remaining)
                return nil
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else { throw ReadError.tookTooLong(limit: limit) }
            return value
        }
    }
}

// The reads of a hook.
extension SaveContext {
    /// Returns the stored records that match a descriptor, in its order.
    ///
    /// ```swift
    /// SaveHook.before(Booking.self) { booking, save in
    ///     let (id, room, begin, end) = (booking.id, booking.room, booking.begin, booking.end)
    ///     let others = try await save.fetch(
    ///         FetchDescriptor<Booking>(
    ///             predicate: #Predicate { $0.room == room && $0.id != id && $0.begin < end && $0.end > begin }))
    ///     guard others.isEmpty else { throw SaveError(\Booking.begin, "The room is taken at that time.") }
    /// }
    /// ```
    ///
    /// The result of a read in a hook before a save is still true when the record is stored: the store rejects the save
    /// if a commit has changed a record of one of the models since, and the hooks run again with the new state. Reads
    /// and repetitions have 5 seconds together. After them nothing is stored, and the answer is 503.
    ///
    /// The records that the same change set saves, such as other lines of an import, are not stored yet.
    /// ``saved(_:)`` returns them.
    ///
    /// - Parameter descriptor: The conditions and the order, for at most 10,000 records.
    /// - Throws: ``QueryError`` when the store cannot run the query, or when it has more than 10,000 records;
    ///   ``ReadError``; ``FieldValueError`` when a stored value does not fit its property.
    public func fetch<M: Model>(_ descriptor: FetchDescriptor<M>) async throws -> [M] {
        var descriptor = descriptor
        let isLimited = (descriptor.fetchLimit ?? .max) <= SaveReads.largestRead
        if !isLimited { descriptor.fetchLimit = SaveReads.largestRead + 1 }
        let found = try await reads.read(M.self, and: related(in: descriptor)) { [descriptor] records in
            try await records.fetch(descriptor)
        }
        guard isLimited || (found?.count ?? 0) <= SaveReads.largestRead else {
            throw QueryError(
                model: M.modelName, expression: "A read in a save hook",
                advice: "has more than 10,000 records. Add conditions, or use fetchCount.")
        }
        return found ?? []
    }

    /// Returns the number of stored records that match a descriptor, with the guarantee of ``fetch(_:)``.
    ///
    /// ```swift
    /// let count = try await save.fetchCount(FetchDescriptor<Booking>(predicate: #Predicate { $0.room == room }))
    /// ```
    ///
    /// - Parameter descriptor: The conditions and limits.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``.
    public func fetchCount<M: Model>(_ descriptor: FetchDescriptor<M>) async throws -> Int {
        try await reads.read(M.self, and: related(in: descriptor)) { try await $0.fetchCount(descriptor) } ?? 0
    }

    /// Returns the stored record with an id, or nil when it does not exist, with the guarantee of ``fetch(_:)``.
    ///
    /// ```swift
    /// guard let room = try await save.find(booking.room.id), room.isOpen else {
    ///     throw SaveError(\Booking.room, "Choose a room that is open.")
    /// }
    /// ```
    ///
    /// - Parameter id: The id of the record.
    /// - Throws: ``ReadError``; ``FieldValueError`` when a stored value does not fit its property.
    public func find<M: Model>(_ id: RecordID<M>) async throws -> M? {
        try await reads.read(M.self) { try await $0.find(id) } ?? nil
    }

    /// Returns the records of a model that the same change set saves before this one, as their hooks left them.
    ///
    /// A change set has several records when it is a step of an import, a bulk action, a sheet with rows or a program's
    /// own `submit`. A rule about several records considers these and the stored ones:
    ///
    /// ```swift
    /// let others = try await save.fetch(descriptor) + save.saved(Booking.self).filter { $0.overlaps(booking) }
    /// ```
    ///
    /// A stored record that the change set changes is still in the result of ``fetch(_:)``, as it is stored.
    ///
    /// - Parameter model: The model.
    /// - Throws: ``FieldValueError`` when a value does not fit its property.
    public func saved<M: Model>(_ model: M.Type) throws -> [M] {
        try reads.saved(model)
    }

    private func related<M: Model>(in descriptor: FetchDescriptor<M>) throws -> [ModelSchema] {
        try descriptor.query().condition?.relatedModels ?? []
    }
}
