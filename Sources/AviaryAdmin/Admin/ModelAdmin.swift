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
    /// by its title or its id, and in a model with more than 20,000 records by its id or the text that the title would
    /// be without this declaration.
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
}
