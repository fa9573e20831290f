public import AviaryDomain
public import Foundation

// The declarations of the list.
extension ModelAdmin {
    /// Sets the columns of the list, from left to right.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).columns(\.name, \.diet, \.category)
    /// ```
    ///
    /// The first column is the link to the record. Users can sort the list by every column except references. An index
    /// makes sorting fast.
    ///
    /// - Parameter keyPaths: Properties of the model.
    public func columns(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.columns = keyPaths.map { AdminColumn(keyPath: $0) } }
    }

    /// Adds a column to the list, with its own title, for a stored or a computed property.
    ///
    /// ```swift
    /// extension Animal {
    ///     var age: Int? { born.map { CalendarDate.today.year - $0.year } }
    /// }
    ///
    /// ModelAdmin(Animal.self).columns(\.name, \.born).column("Age", \.age)
    /// ```
    ///
    /// A computed property is evaluated for each record on the page. It is not stored, so users cannot sort by it. The
    /// added columns follow those of ``columns(_:)``, or the standard ones.
    ///
    /// - Parameters:
    ///   - title: The title above the column.
    ///   - keyPath: A property of any type that can be stored: a string, a number, a date, a `Bool`, a choice.
    public func column<Value: StoredValue>(_ title: String, _ keyPath: any KeyPath<M, Value> & Sendable) -> ModelAdmin {
        declaring {
            $0.moreColumns.append(
                AdminColumn(keyPath: keyPath, title: title, computed: ComputedColumn(keyPath, title: title)))
        }
    }

    /// Adds a column to the list whose text a closure returns.
    ///
    /// ```swift
    /// ModelAdmin(Person.self).column("Name") { "\($0.family), \($0.given)" }
    /// ```
    ///
    /// - Parameters:
    ///   - title: The title above the column.
    ///   - text: A closure that is called once for each record on the page. An empty string is shown as no value.
    public func column(_ title: String, _ text: @escaping @Sendable (M) -> String) -> ModelAdmin {
        declaring { $0.moreColumns.append(AdminColumn(title: title, computed: ComputedColumn(title: title, text))) }
    }

    /// Adds a column to the list whose values come from other records.
    ///
    /// ```swift
    /// ModelAdmin(Part.self).column("Stock") { parts, list in
    ///     let parts = parts.map { Reference($0) }
    ///     let moved = try await list.fetch(
    ///         FetchDescriptor<Movement>(predicate: #Predicate { parts.contains($0.part) }))
    ///     return Dictionary(grouping: moved, by: \.part.id).mapValues { $0.reduce(0) { $0 + $1.quantity } }
    /// }
    /// ```
    ///
    /// Users cannot sort or filter by the column, and exports leave it out. If the closure throws, the column is empty,
    /// the list says so, and the log has the error.
    ///
    /// - Parameters:
    ///   - title: The title above the column.
    ///   - values: A closure that is called once for all records on the page. It returns the values by the ids of the
    ///     records; a record without one is shown as having no value.
    public func column<Value: StoredValue>(
        _ title: String, _ values: @escaping @Sendable ([M], ListContext) async throws -> [M.ID: Value]
    ) -> ModelAdmin {
        declaring {
            $0.moreColumns.append(
                AdminColumn(
                    title: title,
                    computed: ComputedColumn(title: title) { records, source in
                        try await values(records, ListContext(source: source))
                    }))
        }
    }

    /// Sets the format in which the list shows the values of a property.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).columns(\.name, \.weight).format(\.weight) { "\($0) kg" }
    /// ```
    ///
    /// Sorting and filtering use the stored value.
    ///
    /// - Parameters:
    ///   - keyPath: A property of the model.
    ///   - text: A closure that returns the text of a value.
    public func format<Value: StoredValue>(
        _ keyPath: any KeyPath<M, Value> & Sendable, _ text: @escaping @Sendable (Value) -> String
    ) -> ModelAdmin {
        declaring { $0.formats.append((keyPath, { CellFormat($0, text) })) }
    }

    /// Sets the initial order of the list, which users can change. By default, it is the order of the first column.
    ///
    /// ```swift
    /// ModelAdmin(Loan.self).ordering(\.due, order: .reverse)
    /// ```
    ///
    /// An index makes the order fast.
    ///
    /// - Parameters:
    ///   - keyPath: A stored string, number, date, `Bool` or choice. Anything else is a ``SchemaError`` when the
    ///     application starts.
    ///   - order: The direction of the order. `forward` begins with the smallest value: A before B, and nil before
    ///     every value.
    public func ordering<Value: StoredValue>(
        _ keyPath: any KeyPath<M, Value> & Sendable, order: SortOrder = .forward
    ) -> ModelAdmin {
        declaring { $0.ordering = (keyPath, order == .forward ? .ascending : .descending) }
    }

    /// Sets the properties that the list's search covers.
    ///
    /// ```swift
    /// ModelAdmin(Book.self).search(\.title, \.summary, \.isbn)
    /// ```
    ///
    /// A text that is the title, and one declared `@Attribute(.fullText)`, has a text index. A record is found when each
    /// word of the search is a part of one of these texts, without regard to case and accents. Any other text, and a title
    /// declared `@Attribute(.notFullText)`, is compared as a whole: a record is found when the value begins with the
    /// search, without regard to the case of the ASCII letters. Both use an index. Without this declaration, the search
    /// covers all properties that have a text index; a list without such a property has no search, and neither has one
    /// with an empty declaration: `.search()`.
    ///
    /// With a reference, a word may also be a part of a text in the title of the other record. The search does not look at
    /// the numbers, dates and references in a title. It looks at all texts of the other model when a closure returns its
    /// titles.
    ///
    /// - Parameter keyPaths: String properties and references. Anything else is a ``SchemaError`` when the application
    ///   starts.
    public func search(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.search = keyPaths }
    }

    /// Sets the properties by which users can filter the list.
    ///
    /// ```swift
    /// ModelAdmin(Book.self).filters(\.genre, \.authors, \.audience, \.price, \.isbn)
    /// ```
    ///
    /// Choices, `Bool`, relations, dates and numbers are filtered by their values, any other optional property by
    /// whether it has a value. Each filter gets an index. A filter by a model that a user may not view is not shown to
    /// this user.
    ///
    /// - Parameter keyPaths: The model's own properties. A string that is not optional is a ``SchemaError`` when the
    ///   application starts.
    public func filters(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.filters = keyPaths }
    }

    /// Adds an action that changes many records at once in the same way: the selected ones, or all that match the
    /// list's search and filters.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).action("Mark as fed") { $0.isFed = true }
    /// ```
    ///
    /// The closure modifies each record, and the admin stores the changes in the name of the user: for up to 1,000
    /// records at a time, with a progress display, and so that the user can undo them. The closure is called again with
    /// the newer record when others changed one in between.
    ///
    /// - Parameters:
    ///   - title: The label of the button. It contains at least one of the letters a to z or a digit, and differs from
    ///     those of the other actions.
    ///   - permission: The action on this model's records that a user's role must allow.
    ///   - change: A closure that modifies a record. Records that it leaves as they are stay unchanged. The admin
    ///     shows a ``SaveError`` that it throws.
    public func action(
        _ title: String, requires permission: ModelAction = .edit,
        _ change: @escaping @Sendable (_ record: inout M) throws -> Void
    ) -> ModelAdmin {
        action(title, requires: permission) { ids, records in try await records.changes(updating: ids, change) }
    }

    /// Adds an action with changes of any kind that users apply to many records at once: to the selected ones, or to
    /// all that match the list's search and filters.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self)
    ///     .action("Release", requires: .delete) { ids, _ in ids.map { .delete($0) } }
    ///     .action("Weigh") { ids, animals in
    ///         try await animals.changes(updating: ids) { $0.isWeighed = true } + [.insert(Weighing(count: ids.count))]
    ///     }
    /// ```
    ///
    /// The closure returns the changes, and the admin stores them in the name of the user: for up to 1,000 records at a
    /// time, with a progress display, and so that the user can undo them. The closure may be called again for the same
    /// records when others changed one in between, and when the store rejects a part of the records.
    ///
    /// - Parameters:
    ///   - title: The label of the button. It contains at least one of the letters a to z or a digit, and differs from
    ///     those of the other actions.
    ///   - permission: The action on this model's records that a user's role must allow. The changes themselves need no
    ///     further permission, whatever models they concern.
    ///   - changes: A closure that returns the changes of the records with the given ids. The admin shows a
    ///     ``SaveError`` that it throws.
    public func action(
        _ title: String, requires permission: ModelAction = .edit,
        _ changes: @escaping @Sendable (_ ids: [M.ID], _ records: Repository<M>) async throws -> [Change]
    ) -> ModelAdmin {
        declaring { $0.actions.append(BulkAction(title, permission: permission, changes)) }
    }

    private func declaring(_ change: (inout ListDeclarations) -> Void) -> ModelAdmin {
        var copy = self
        change(&copy.list)
        return copy
    }
}

/// The records that a column of a list reads.
///
/// The closure of a column that ``ModelAdmin`` declares for all records of a page receives it. Roles do not limit these
/// reads: everybody who may view the list sees the values that the closure returns.
///
/// ```swift
/// ModelAdmin(Book.self).column("Lent") { books, list in
///     let books = books.map { Reference($0) }
///     let loans = try await list.fetch(FetchDescriptor<Loan>(predicate: #Predicate { books.contains($0.book) }))
///     return Dictionary(grouping: loans, by: \.book.id).mapValues(\.count)
/// }
/// ```
public struct ListContext: Sendable {
    let source: ComputedColumn.RecordSource

    /// Returns the records that match a descriptor, in its order.
    ///
    /// ```swift
    /// let lent = try await list.fetch(FetchDescriptor<Loan>(predicate: #Predicate { books.contains($0.book) }))
    /// ```
    ///
    /// - Parameter descriptor: The conditions, the order and the limits.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``; ``FieldValueError`` when a stored
    ///   value does not fit its property.
    public func fetch<M: Model>(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> [M] {
        try await Repository<M>(source(M.schema), author: "").fetch(descriptor)
    }

    /// Returns the number of records that match a descriptor.
    ///
    /// ```swift
    /// let count = try await list.fetchCount(FetchDescriptor<Loan>(predicate: #Predicate { $0.book == book }))
    /// ```
    ///
    /// A count for each record of the page is a read for each: fetch the related records together instead.
    ///
    /// - Parameter descriptor: The conditions and the limits.
    /// - Throws: ``QueryError`` when the store cannot run the query; ``ReadError``.
    public func fetchCount<M: Model>(_ descriptor: FetchDescriptor<M> = FetchDescriptor()) async throws -> Int {
        try await Repository<M>(source(M.schema), author: "").fetchCount(descriptor)
    }
}
