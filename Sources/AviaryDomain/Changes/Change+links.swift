extension Change {
    /// Links two records by a many-to-many property, of either side.
    ///
    /// ```swift
    /// try await store.submit([.insert(book), .link(book, \.authors, author)])
    /// ```
    ///
    /// - Parameter property: A `Related` whose inverse is a `Related` too. The store refuses any other with
    ///   ``StoreError/malformed(_:)``.
    public static func link<M: Model, Other: Model>(
        _ model: M, _ property: any KeyPath<M, Related<Other>> & Sendable, _ other: Other
    ) -> Change {
        link(model.id, property, other.id)
    }

    /// As ``link(_:_:_:)-(M,_,Other)``, of records that are not at hand.
    ///
    /// ```swift
    /// try await store.submit([.link(bookID, \.authors, authorID)])
    /// ```
    public static func link<M: Model, Other: Model>(
        _ id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable, _ other: RecordID<Other>
    ) -> Change {
        .link(model: M.modelName, property: M.schema.name(of: property), id: id.uuid, target: other.uuid)
    }

    /// Ends a link of two records, if there is one.
    ///
    /// ```swift
    /// try await store.submit([.unlink(book, \.authors, author)])
    /// ```
    public static func unlink<M: Model, Other: Model>(
        _ model: M, _ property: any KeyPath<M, Related<Other>> & Sendable, _ other: Other
    ) -> Change {
        unlink(model.id, property, other.id)
    }

    /// As ``unlink(_:_:_:)-(M,_,Other)``, of records that are not at hand.
    ///
    /// ```swift
    /// try await store.submit([.unlink(bookID, \.authors, authorID)])
    /// ```
    public static func unlink<M: Model, Other: Model>(
        _ id: RecordID<M>, _ property: any KeyPath<M, Related<Other>> & Sendable, _ other: RecordID<Other>
    ) -> Change {
        .unlink(model: M.modelName, property: M.schema.name(of: property), id: id.uuid, target: other.uuid)
    }
}

extension ModelSchema {
    /// Empty for a key path that is no property of the schema: the store names what it does not know.
    fileprivate func name(of keyPath: AnyKeyPath) -> String { property(at: keyPath)?.name ?? "" }
}
