public import AviaryDomain

/// Makes a struct a model, whose instances are records that the store keeps and the admin lists and edits.
///
/// ```swift
/// @Model
/// struct Animal {
///     enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }
///
///     @Attribute(.required) var name: String
///     var diet: Diet = .herbivorous
///     var category: Reference<AnimalCategory>?
/// }
/// ```
///
/// Every stored property is a column, except a ``Related``. The macro adds:
/// - `id`, a ``RecordID`` of the model, unless the struct declares it.
/// - A memberwise initializer, unless the struct declares an initializer. It takes the properties in their order, then
///   `id`. You can leave out `id`, an optional and a property with an initial value. A `Related` takes no argument.
/// - The requirements of ``Model``: `schema`, `init(from:)` and `bind(to:)`, and the conformance.
///
/// The members have the access level of the struct. In a public struct, the initial values become default arguments of
/// a public initializer, so they can only use public declarations.
@attached(member, names: named(id), named(init), named(schema), named(bind))
@attached(extension, conformances: Model)
public macro Model() = #externalMacro(module: "AviaryMacros", type: "ModelMacro")

/// Adds options to a stored property of a model.
///
/// ```swift
/// @Attribute(.unique, .required) var name: String
/// ```
///
/// - Parameters:
///   - options: The rules and indexes of the property.
///   - originalName: The former name of the property. It has the effect of ``AttributeOption/originalName(_:)``.
@attached(peer)
public macro Attribute(_ options: AttributeOption..., originalName: String? = nil) =
    #externalMacro(module: "AviaryMacros", type: "AttributeMacro")

/// Excludes a stored property of a model from the store: its value exists in memory only.
///
/// ```swift
/// @Transient var searches = 0
/// ```
///
/// The property needs an initial value. Every record that is read has this value. The property is not a parameter of
/// the memberwise initializer. A computed property is never a column and needs no such attribute.
@attached(peer)
public macro Transient() = #externalMacro(module: "AviaryMacros", type: "TransientMacro")

/// Adds uniqueness constraints over several properties. Use it inside the model.
///
/// ```swift
/// @Model
/// struct Edition {
///     #Unique<Edition>([\.title, \.number], [\.isbn])
///
///     var title: String
///     var number: Int
///     var isbn: String?
/// }
/// ```
///
/// The store rejects a second record that has the same values in all properties of a list. The error is at the first
/// field of the list and names the others. Unlike SwiftData, the store does not merge both records into one. A record
/// that has nil in one of the properties does not violate the constraint.
///
/// - Parameter constraints: Lists of stored properties.
@freestanding(declaration)
public macro Unique<M: Model>(_ constraints: [PartialKeyPath<M>]...) =
    #externalMacro(module: "AviaryMacros", type: "PropertyGroupMacro")

/// Adds indexes over properties in the given order. Use it inside the model.
///
/// ```swift
/// #Index<Edition>([\.publisher, \.year], [\.title])
/// ```
///
/// A query uses an index when its conditions are on the first property of a list, or on the first property and the
/// properties that follow it. It then does not scan every record. A query that sorts by the list reads the index in
/// its order. Each write updates every index, so declare only the indexes that queries use.
///
/// - Parameter indexes: Lists of stored properties. A list of one property is the same as `@Attribute(.indexed)`.
@freestanding(declaration)
public macro Index<M: Model>(_ indexes: [PartialKeyPath<M>]...) =
    #externalMacro(module: "AviaryMacros", type: "PropertyGroupMacro")

/// Declares the inverse, the delete rule and the bounds of a to-many relation.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Animal.category)
/// var animals: Related<Animal>
/// ```
///
/// A relation is one-to-many when the inverse is a ``Reference``, and many-to-many when it is a ``Related`` too. One
/// side of a many-to-many relation names the inverse. The other side has the attribute without `inverse:`:
///
/// ```swift
/// @Relationship(minimumModelCount: 1, inverse: \Author.books) var authors: Related<Author>  // of Book
/// @Relationship var books: Related<Book>                                                    // of Author
/// ```
///
/// A relation of a model with itself has two properties, such as `follows` and `followers`, or is its own inverse:
///
/// ```swift
/// @Relationship(.symmetric) var friends: Related<Person>
/// ```
///
/// When both sides name an inverse, each macro depends on the other and the compiler reports "circular reference".
/// Remove `inverse:` from one of them.
///
/// - Parameters:
///   - options: Further options of the relation.
///   - deleteRule: The effect on the related records when the record that has this property is deleted.
///   - minimumModelCount: The smallest number of related records. The store rejects a change set that leaves fewer.
///   - maximumModelCount: The largest number of related records; nil for no limit.
///   - originalName: The former name of the property of a many-to-many relation. Its links move to the new name. For a
///     one-to-many relation, use `@Attribute(originalName:)` at the reference, which stores the relation.
///   - inverse: The property of the related model that points back. Leave it out when that property names this one.
@attached(peer)
public macro Relationship(
    _ options: RelationshipOption...,
    deleteRule: DeleteRule = .nullify,
    minimumModelCount: Int? = nil,
    maximumModelCount: Int? = nil,
    originalName: String? = nil,
    inverse: (any AnyKeyPath & Sendable)? = nil
) = #externalMacro(module: "AviaryMacros", type: "RelationshipMacro")

/// Makes a struct conform to ``Embedded``, so that a record stores it as JSON and predicates can use its properties.
///
/// ```swift
/// @Embedded
/// struct Address {
///     var street: String
///     var city: String
///
///     enum CodingKeys: String, CodingKey { case street, city = "town" }
/// }
///
/// #Predicate<Keeper> { $0.address.city == "Leuven" }
/// ```
///
/// In a public struct, the macro also writes a public memberwise initializer, unless the struct declares an
/// initializer. You can leave out an optional and a property with an initial value. Swift's own memberwise initializer
/// is never public.
///
/// The macro adds the conformance, for which Swift synthesizes `Codable`. It writes ``Embedded/embeddedProperties``
/// from the stored properties and from the `CodingKeys` that are declared inside the struct. A property that
/// `CodingKeys` leaves out is not in the JSON: it needs an initial value and is not stored.
///
/// A property that you add later is optional or has an initial value, which older records get.
///
/// Properties of the struct have no attributes of their own. Check their values in the model's `validate()`.
@attached(member, names: named(embeddedProperties), named(init))
@attached(extension, conformances: Embedded, names: named(init(from:)))
public macro Embedded() = #externalMacro(module: "AviaryMacros", type: "EmbeddedMacro")
