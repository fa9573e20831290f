public import Foundation

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
