public import AviaryDomain
public import Foundation

extension ModelAdmin {
    /// The list's columns, from left to right. The first is the link to the record. A list can be sorted by each
    /// column but references; an index makes that quick.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).columns(\.name, \.diet, \.category)
    /// ```
    public func columns(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.columns = keyPaths.map { AdminColumn(keyPath: $0) } }
    }

    /// One more column of the list, with a title of its own: a stored property, or one that is computed.
    ///
    /// ```swift
    /// extension Animal {
    ///     var age: Int? { born.map { CalendarDate.today.year - $0.year } }
    /// }
    ///
    /// ModelAdmin(Animal.self).columns(\.name, \.born).column(\.age, "Age")
    /// ```
    ///
    /// A computed property is worked out from each record that a page shows. It is not stored, so a list cannot be sorted by
    /// it. The columns stand behind those of ``columns(_:)``, or behind the standard ones.
    ///
    /// - Parameters:
    ///   - keyPath: To a property of any type that can be stored: a text, a number, a date, a `Bool`, a choice.
    ///   - title: What stands above the column.
    public func column<Value: StoredValue>(_ keyPath: any KeyPath<M, Value> & Sendable, _ title: String) -> ModelAdmin {
        declaring {
            $0.moreColumns.append(
                AdminColumn(keyPath: keyPath, title: title, computed: ComputedColumn(keyPath, title: title)))
        }
    }

    /// One more column of the list, written by a closure.
    ///
    /// ```swift
    /// ModelAdmin(Person.self).column("Name") { "\($0.family), \($0.given)" }
    /// ```
    ///
    /// - Parameters:
    ///   - title: What stands above the column.
    ///   - text: Called once for each record that a page shows. An empty text is shown as none.
    public func column(_ title: String, _ text: @escaping @Sendable (M) -> String) -> ModelAdmin {
        declaring { $0.moreColumns.append(AdminColumn(title: title, computed: ComputedColumn(title: title, text))) }
    }

    /// How the list writes the values of a property, where that is not as their type is.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).columns(\.name, \.weight).format(\.weight) { "\($0) kg" }
    /// ```
    ///
    /// The list is sorted and narrowed by what is stored, whatever is shown.
    public func format<Value: StoredValue>(
        _ keyPath: any KeyPath<M, Value> & Sendable, _ text: @escaping @Sendable (Value) -> String
    ) -> ModelAdmin {
        declaring { $0.formats.append((keyPath, { CellFormat($0, text) })) }
    }

    /// The order in which the list stands until somebody sorts it. An index makes it quick. By the first column, unless
    /// declared.
    ///
    /// ```swift
    /// ModelAdmin(Loan.self).ordering(\.due, order: .reverse)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: To a stored text, number, date, `Bool` or choice; anything else is a `SchemaError` when the application
    ///     starts.
    ///   - order: Forward begins with the least: A before B, and no value before any.
    public func ordering<Value: StoredValue>(
        _ keyPath: any KeyPath<M, Value> & Sendable, order: SortOrder = .forward
    ) -> ModelAdmin {
        declaring { $0.ordering = (keyPath, order == .forward ? .ascending : .descending) }
    }

    /// The texts that the list's search looks in.
    ///
    /// ```swift
    /// ModelAdmin(Book.self).search(\.title, \.summary, \.isbn)
    /// ```
    ///
    /// Of a property that is `@Attribute(.fullText)` each word is found wherever it stands, without regard to case and accents.
    /// Of any other, the beginning of the text is found, without regard to the case of the letters A to Z. Both use an index.
    /// Without this, what is `.fullText` is searched, and where nothing is, the list has no search.
    ///
    /// - Parameter keyPaths: To texts; anything else is a `SchemaError` when the application starts.
    public func search(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.search = keyPaths }
    }

    /// What the list can be narrowed by: choices, `Bool`, relations, dates and numbers, and of any other optional property
    /// whether there is a value.
    ///
    /// ```swift
    /// ModelAdmin(Book.self).filters(\.genre, \.authors, \.audience, \.price, \.isbn)
    /// ```
    ///
    /// Each gets an index. Those of models that somebody may not view are not shown to them.
    ///
    /// - Parameter keyPaths: To the model's own properties; a text that is not optional is a `SchemaError` when the
    ///   application starts.
    public func filters(_ keyPaths: any PartialKeyPath<M> & Sendable...) -> ModelAdmin {
        declaring { $0.filters = keyPaths }
    }

    /// Something that can be done with many records at once: with those that are ticked, and with all that the list's search
    /// and filters find.
    ///
    /// ```swift
    /// ModelAdmin(Animal.self).action("Mark as fed") { ids, animals in
    ///     try await animals.changeSet(updating: ids) { $0.isFed = true }
    /// }
    /// ```
    ///
    /// The closure says what is to be stored, and the admin stores it, in the name of whoever asked: with up to 1,000 records
    /// each time, with progress, and so that it can be undone. It may be called again for the same records: when others changed
    /// one in between, and when a part of the records is refused.
    ///
    /// - Parameters:
    ///   - title: What the button says; with at least one of the letters a to z or a digit, and not that of another action.
    ///   - permission: What somebody must be allowed to do with this model's records. The changes themselves are not asked
    ///     for more, whatever models they touch.
    ///   - changes: Makes the changes of the records with these ids. An error that is a ``SaveRefusal`` is shown.
    public func action(
        _ title: String, requires permission: ModelAction = .edit,
        _ changes: @escaping @Sendable (_ ids: [M.ID], _ records: Repository<M>) async throws -> ChangeSet
    ) -> ModelAdmin {
        declaring { $0.actions.append(BulkAction(title, permission: permission, changes)) }
    }

    private func declaring(_ change: (inout ListDeclarations) -> Void) -> ModelAdmin {
        var copy = self
        change(&copy.list)
        return copy
    }
}
