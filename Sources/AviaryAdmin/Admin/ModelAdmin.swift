public import AviaryDomain
public import Foundation

/// A part of an application's ``AviaryApp/admin``.
public protocol Admin: Sendable {
    /// The models that this part registers.
    var registrations: [ModelRegistration] { get }
}

/// A model together with its declarations for the admin.
public struct ModelRegistration: Sendable {
    package private(set) var schema: ModelSchema
    var list = ListDeclarations()
    var sheet = SheetDeclarations()
    /// The heading in the navigation over the model and those of the same group; nil for none.
    var group: String?

    /// Returns the checked configuration of the list.
    ///
    /// - Throws: ``SchemaError`` for a property that a list cannot show or filter by.
    func configuration() throws(SchemaError) -> ModelConfiguration {
        var configuration = try ModelConfiguration(list, of: schema)
        configuration.group = group
        return configuration
    }

    /// Returns the registration with titles that reveal nothing to the roles that they must not see, and that have a
    /// text index.
    ///
    /// - Throws: ``SchemaError`` for a secret title, and ``RoleError`` for a title that a role must not see.
    func titled(for roles: [Role]) throws -> ModelRegistration {
        if !schema.title.isComputed, let secret = schema.titleParts.first(where: \.isSecret) {
            throw SchemaError(
                model: schema.name, property: secret.name,
                "is .secret and the title of the records. Declare another .title: everybody sees it.")
        }
        var copy = self
        copy.schema = try schema.titled(for: roles).indexingTitle()
        return copy
    }
}

/// The declaration of the titles of a model's records in ``ModelAdmin``.
struct TitleDeclaration: Sendable {
    /// The property that is the title, if it is stored.
    let keyPath: (any AnyKeyPath & Sendable)?
    let text: @Sendable (Record) -> String?

    func applied(to schema: ModelSchema) -> ModelSchema {
        keyPath.flatMap { schema.property(at: $0) }.map { schema.titled(by: $0.name) } ?? schema.titled(text)
    }
}

/// A result builder that builds an ``Admin`` from the declarations in ``AviaryApp/admin``.
@resultBuilder
public enum AdminBuilder {
    /// Builds a group from the declarations.
    public static func buildBlock(_ parts: any Admin...) -> AdminGroup {
        AdminGroup(parts)
    }
    /// Builds a group from an `if` without `else`.
    public static func buildOptional(_ part: AdminGroup?) -> AdminGroup { part ?? AdminGroup([]) }
    /// Builds a group from the first branch of a condition.
    public static func buildEither(first part: AdminGroup) -> AdminGroup { part }
    /// Builds a group from the second branch of a condition.
    public static func buildEither(second part: AdminGroup) -> AdminGroup { part }
    /// Builds a group from a loop.
    public static func buildArray(_ parts: [AdminGroup]) -> AdminGroup { AdminGroup(parts) }
}

/// A sequence of declarations.
///
/// ```swift
/// let practice = AdminGroup {
///     ModelAdmin(Patient.self)
///     ModelAdmin(Appointment.self)
/// }
///
/// var admin: some Admin {
///     practice
///     ModelAdmin(Invoice.self)
/// }
/// ```
///
/// A group divides the declarations of a large application. The navigation shows its models in their place. A group
/// with a title has a heading there:
///
/// ```swift
/// AdminGroup("Practice") {
///     ModelAdmin(Patient.self)
///     ModelAdmin(Appointment.self)
/// }
/// ```
public struct AdminGroup: Admin {
    /// The models that the declarations register, in their order.
    public let registrations: [ModelRegistration]

    /// Creates a group.
    ///
    /// - Parameter content: The declarations, in the order of the navigation.
    public init(@AdminBuilder content: () -> AdminGroup) {
        self = content()
    }

    /// Creates a group with a heading in the navigation.
    ///
    /// A titled group inside another keeps its own title. People who may view none of the models do not see the heading.
    ///
    /// - Parameters:
    ///   - title: The heading, which the navigation shows in the language of the page when ``AviaryApp/languages`` has
    ///     a translation.
    ///   - content: The declarations, in the order of the navigation.
    public init(_ title: String, @AdminBuilder content: () -> AdminGroup) {
        registrations = content().registrations.map { model in
            var model = model
            model.group = model.group ?? title
            return model
        }
    }

    fileprivate init(_ parts: [any Admin]) {
        registrations = parts.flatMap(\.registrations)
    }
}

/// The declarations of the admin for one model.
///
/// ```swift
/// ModelAdmin(Animal.self)
///     .columns(\.name, \.diet, \.category)
///     .column("Age", \.age)
/// ```
public struct ModelAdmin<M: Model>: Admin {
    var list = ListDeclarations()
    var sheet = SheetDeclarations()
    private var title: TitleDeclaration?

    /// Registers a model, with the default list and sheet.
    ///
    /// - Parameter model: The model.
    public init(_ model: M.Type) {}

    /// The model together with its declarations.
    public var registrations: [ModelRegistration] {
        let schema = M.schema.labelled(sheet.labels(of: M.schema)).readOnly(sheet.readOnlyNames(of: M.schema))
        return [ModelRegistration(schema: title?.applied(to: schema) ?? schema, list: list, sheet: sheet)]
    }
}

extension ModelAdmin {
    /// Sets the property whose value is the title of a record.
    ///
    /// ```swift
    /// ModelAdmin(Telescope.self).title(\.name)
    /// ```
    ///
    /// People know a record by its title in the whole admin: in sentences and notices, in the choices and the columns
    /// of references, on the pages for deleting, importing and undoing, and in the history. The title of a record
    /// whose property is a reference is that of the other record. A record whose title is blank is called by its first
    /// values or by its id.
    ///
    /// Without this declaration the title is a guess. The guess considers only the properties without which no record
    /// can be added, so that a new optional property, or one with a default, never changes it:
    ///
    /// 1. the first text that is required, or else the first that is unique, or else the first of any;
    /// 2. without such a text, the properties that are unique together, or else up to three references, days and
    ///    other values, as in "Hubble, M 31, 3 May 2026";
    /// 3. in a model that requires none of these, its first text.
    ///
    /// A title that is one stored text is also what users type, and files contain, to refer to a record. An index on
    /// it, as ``columns(_:)`` creates, makes choosing references fast.
    ///
    /// - Parameter keyPath: A stored or a computed property of any type that can be stored. A secret is a
    ///   ``SchemaError`` when the application starts, and so is a property that a role must not see.
    public func title<Value: StoredValue>(_ keyPath: any KeyPath<M, Value> & Sendable) -> ModelAdmin {
        let column = ComputedColumn(keyPath, title: "")
        return titled(keyPath) { record in column.property.words(for: column.value(record)) }
    }

    /// Sets the title of each record to the text that a closure returns.
    ///
    /// ```swift
    /// ModelAdmin(Person.self).title { "\($0.family), \($0.given)" }
    /// ```
    ///
    /// A search for a record looks at all texts of the model that no role is hidden from. A file refers to a record
    /// by its id or by the text that the title would be without this declaration.
    ///
    /// - Parameter text: A closure that returns the title of a record. It has the record's own values, and of a
    ///   referenced record only the id. It is called often, so it must be fast. Everybody who may view the records
    ///   sees the title, whatever properties a role hides. An empty string means that the record has no title.
    @_disfavoredOverload
    public func title(_ text: @escaping @Sendable (M) -> String) -> ModelAdmin {
        titled(nil) { record in
            // A record that cannot be decoded is shown without a title.
            (try? M(record)).map(text)
        }
    }

    private func titled(
        _ keyPath: (any AnyKeyPath & Sendable)?, _ text: @escaping @Sendable (Record) -> String?
    ) -> ModelAdmin {
        var copy = self
        copy.title = TitleDeclaration(keyPath: keyPath, text: text)
        return copy
    }

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
    /// In the text that is the title, and in a property declared `@Attribute(.fullText)`, the search finds each word
    /// anywhere, without regard to case and accents. In any other property, and in a title declared
    /// `@Attribute(.notFullText)`, it finds the beginning of the value, without regard to the case of the ASCII letters.
    /// Both use an index. Without this declaration, the search covers all properties in which it finds words anywhere; a
    /// list without such a property has no search, and neither has one with an empty declaration: `.search()`.
    ///
    /// In a reference, the search finds each word anywhere in the titles of the other records.
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
