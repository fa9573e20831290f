public import Foundation

/// The unit of writing: changes that the store commits together or not at all.
///
/// The id makes a change set idempotent. The store keeps a receipt of each change set for 8 days, and answers a
/// repetition with the first result without applying it again.
public struct ChangeSet: Sendable, Hashable, Codable, Identifiable {
    /// The id of the change set, by which the store recognizes a repetition.
    public let id: UUID
    /// The name of the user on whose behalf the changes are made.
    public let author: String
    /// The changes.
    ///
    /// The store applies them in their order, except that it applies all deletes together at the position of the
    /// first.
    public let changes: [Change]

    /// The greatest number of further records that the delete rules may delete; nil for no limit.
    ///
    /// When a delete exceeds it, the store rejects the change set with ``StoreError/Code/needsConfirmation``, which
    /// contains the counts.
    public let cascadeLimit: Int?

    /// The requested changes when hooks have replaced them; otherwise nil.
    ///
    /// The store recognizes a repetition by the requested changes, because hooks need not produce the same changes
    /// again.
    package let asked: [Change]?

    /// The reads of hooks on which the changes rely; nil if they rely on none.
    ///
    /// The store rejects the change set with ``StoreError/Reason/overtaken`` when one of the models has changed since.
    package let basis: ReadBasis?

    /// Creates a change set with a given id.
    ///
    /// - Parameters:
    ///   - id: The id of the change set. Use the same id and the same changes to repeat it.
    ///   - author: The name of the user on whose behalf the changes are made.
    ///   - changes: The changes, in the order in which the store applies them. See ``changes``.
    ///   - cascadeLimit: The greatest number of further records that the delete rules may delete; nil for no limit.
    public init(id: UUID, author: String, changes: [Change], cascadeLimit: Int? = nil) {
        self.init(id: id, author: author, changes: changes, cascadeLimit: cascadeLimit, asked: nil)
    }

    package init(
        id: UUID, author: String, changes: [Change], cascadeLimit: Int?, asked: [Change]?, basis: ReadBasis? = nil
    ) {
        self.id = id
        self.author = author
        self.changes = changes
        self.cascadeLimit = cascadeLimit
        self.asked = asked
        self.basis = basis
    }

    /// Creates a change set with a new id.
    ///
    /// - Parameters:
    ///   - author: The name of the user on whose behalf the changes are made.
    ///   - changes: The changes, in the order in which the store applies them. See ``changes``.
    ///   - cascadeLimit: The greatest number of further records that the delete rules may delete; nil for no limit.
    public init(author: String, changes: [Change], cascadeLimit: Int? = nil) {
        self.init(id: .version7(), author: author, changes: changes, cascadeLimit: cascadeLimit)
    }
}

/// The reads on which a change set relies.
package struct ReadBasis: Sendable, Hashable, Codable {
    /// The number of the newest commit before the first read. Each read shows the store in this commit or a later one.
    package let commit: Int64
    /// The names of the models that were read.
    package let models: Set<String>

    package init(commit: Int64, models: Set<String>) {
        self.commit = commit
        self.models = models
    }
}

/// A series of change sets that are parts of one operation, such as a batch.
///
/// Their ids have a common prefix, by which the history recognizes that they belong together. Each id is derived
/// from the ids of the records, so the store recognizes a part that is sent again and stores it once.
package struct ChangeSetSeries: Sendable, Hashable {
    /// The id of the series, a UUID of version 7 created at its beginning. It distinguishes one series from another.
    package let id: UUID

    package init(_ id: UUID) {
        self.id = id
    }

    /// Returns the id of a part of the series, which is derived from the ids of all its records.
    package func changeSet(_ ids: [UUID]) -> UUID {
        var end = FNV1a()
        for id in [id] + ids { end.add(id.canonicalText) }
        let bytes = [beginning, end.value].flatMap { half in withUnsafeBytes(of: half.bigEndian) { [UInt8]($0) } }
        return NSUUID(uuidBytes: bytes) as UUID
    }

    package func contains(_ changeSet: UUID) -> Bool { Self.prefix(of: changeSet) == prefix }

    /// The first eight bytes of the ids of all parts.
    package var prefix: UInt64 { beginning }

    /// Returns the first eight bytes of an id.
    package static func prefix(of changeSet: UUID) -> UInt64 {
        withUnsafeBytes(of: changeSet.uuid) { $0.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
    }

    /// The series of the change sets that undo this one.
    package var inverse: ChangeSetSeries { ChangeSetSeries(changeSet([])) }

    /// The time at which the series began, by the clock of the process that began it.
    package var start: Date {
        let milliseconds = withUnsafeBytes(of: id.uuid) { $0.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    private var beginning: UInt64 {
        var hash = FNV1a()
        hash.add(id.canonicalText)
        return hash.value
    }
}

/// The store's confirmation that a change set is on disk.
public struct Receipt: Sendable, Hashable, Codable {
    /// The id of the change set.
    public let changeSet: UUID

    /// The number of the commit, counted from 1 in the order of all commits.
    ///
    /// It is the new version of each record that the change set changed. A record that was saved without a difference
    /// keeps its version.
    public let commit: Int64
    /// Indicates whether the store had committed the change set before and repeats its first answer.
    public let isRepeat: Bool

    package init(changeSet: UUID, commit: Int64, isRepeat: Bool) {
        self.changeSet = changeSet
        self.commit = commit
        self.isRepeat = isRepeat
    }
}

/// One step of a ``ChangeSet``.
public enum Change: Sendable, Hashable, Codable {
    /// Inserts a new record. A stored property that `values` does not name gets its default value.
    case insert(model: String, id: UUID, values: [String: FieldValue])

    /// Changes the named properties of a record.
    ///
    /// The store rejects the change with ``StoreError/Code/conflict`` when the record no longer has the given
    /// version.
    case update(model: String, id: UUID, version: Int64, values: [String: FieldValue])

    /// Deletes a record and the records that its delete rules delete with it.
    ///
    /// With a version, the store rejects the change when the record no longer has this version. Deleting a record
    /// that does not exist is not an error.
    case delete(model: String, id: UUID, version: Int64? = nil)

    /// Links a record with another by a many-to-many property, of either side.
    ///
    /// Linking records that are linked already has no effect. Both records must exist after the last change of the
    /// change set.
    case link(model: String, property: String, id: UUID, target: UUID)
    /// Removes the link between two records. Without a link, the change has no effect.
    case unlink(model: String, property: String, id: UUID, target: UUID)

    package var model: String {
        switch self {
        case .insert(let model, _, _), .update(let model, _, _, _), .delete(let model, _, _), .link(let model, _, _, _),
            .unlink(let model, _, _, _):
            model
        }
    }
}

extension Change {
    /// Creates a change that links two records by a many-to-many property.
    ///
    /// ```swift
    /// try await store.submit([.insert(book), .link(book, \.authors, author)])
    /// ```
    ///
    /// The property can be that of either side.
    ///
    /// - Parameters:
    ///   - model: The record that has the property.
    ///   - property: A `Related` whose inverse is a `Related` too. The store rejects any other with
    ///     ``StoreError/Code/malformed``.
    ///   - other: The record to link it with.
    public static func link<M: Model, Other: Model>(
        _ model: M, _ property: any KeyPath<M, Related<Other>> & Sendable, _ other: Other
    ) -> Change {
        link(model.id, property, other.id)
    }

    /// Creates a change that links two records, given by their ids, by a many-to-many property.
    ///
    /// ```swift
    /// try await store.submit([.link(bookID, \.authors, authorID)])
    /// ```
    ///
    /// Use it like ``link(_:_:_:)-(M,_,Other)`` when you have the ids and not the records.
    ///
    /// - Parameters:
    ///   - id: The id of the record that has the property.
    ///   - property: A `Related` whose inverse is a `Related` too. The store rejects any other with
    ///     ``StoreError/Code/malformed``.
    ///   - other: The id of the record to link it with.
    public static func link<M: Model, Other: Model>(
        _ id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable, _ other: RecordID<Other>
    ) -> Change {
        .link(model: M.modelName, property: M.schema.name(of: property), id: id.uuid, target: other.uuid)
    }

    /// Creates a change that removes the link between two records.
    ///
    /// ```swift
    /// try await store.submit([.unlink(book, \.authors, author)])
    /// ```
    ///
    /// The change has no effect when the records are not linked.
    ///
    /// - Parameters:
    ///   - model: The record that has the property.
    ///   - property: A `Related` whose inverse is a `Related` too. The store rejects any other with
    ///     ``StoreError/Code/malformed``.
    ///   - other: The record on the other side of the link.
    public static func unlink<M: Model, Other: Model>(
        _ model: M, _ property: any KeyPath<M, Related<Other>> & Sendable, _ other: Other
    ) -> Change {
        unlink(model.id, property, other.id)
    }

    /// Creates a change that removes the link between two records, given by their ids.
    ///
    /// ```swift
    /// try await store.submit([.unlink(bookID, \.authors, authorID)])
    /// ```
    ///
    /// Use it like ``unlink(_:_:_:)-(M,_,Other)`` when you have the ids and not the records.
    ///
    /// - Parameters:
    ///   - id: The id of the record that has the property.
    ///   - property: A `Related` whose inverse is a `Related` too. The store rejects any other with
    ///     ``StoreError/Code/malformed``.
    ///   - other: The id of the record on the other side of the link.
    public static func unlink<M: Model, Other: Model>(
        _ id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable, _ other: RecordID<Other>
    ) -> Change {
        .unlink(model: M.modelName, property: M.schema.name(of: property), id: id.uuid, target: other.uuid)
    }
}

extension ModelSchema {
    /// Returns the name of the property; empty for a key path that is not a property of the schema. The store reports
    /// the unknown name.
    fileprivate func name(of keyPath: AnyKeyPath) -> String { property(at: keyPath)?.name ?? "" }
}
