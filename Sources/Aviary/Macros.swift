public import AviaryDomain

/// Makes a struct a model: a record that is stored, and that the admin lists and edits.
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
/// Every stored property is a column, except a ``Related``. The macro adds
/// - `id`, a ``RecordID`` of the model, unless the struct declares it;
/// - a memberwise initializer, unless the struct declares an initializer: the properties in their order, then `id`.
///   A property with an initial value, an optional and `id` may be left out; a `Related` takes no argument;
/// - what ``Model`` asks for: `schema`, `init(from:)` and `bind(to:)`, and the conformance.
///
/// The members are as accessible as the struct. In a public struct, the initial values become default arguments of a
/// public initializer, so they can only name what is public too.
@attached(member, names: named(id), named(init), named(schema), named(bind))
@attached(extension, conformances: Model)
public macro Model() = #externalMacro(module: "AviaryMacros", type: "ModelMacro")

/// Says more of a stored property of a model.
///
/// ```swift
/// @Attribute(.unique, .required) var name: String
/// ```
///
/// - Parameters:
///   - options: What holds for the property's values.
///   - originalName: What the property was called before, as ``AttributeOption/originalName(_:)``.
@attached(peer)
public macro Attribute(_ options: AttributeOption..., originalName: String? = nil) =
    #externalMacro(module: "AviaryMacros", type: "AttributeMacro")

/// Says of a stored property of a model that it is no column: what is calculated once and kept in memory.
///
/// ```swift
/// @Transient var searches = 0
/// ```
///
/// It needs an initial value, which it has in every record that is read, and takes no part in the memberwise initializer.
/// A computed property is no column anyway and needs no mark.
@attached(peer)
public macro Transient() = #externalMacro(module: "AviaryMacros", type: "TransientMacro")

/// Says of several properties that no two records have them all alike. Written inside of the model.
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
/// A second record is refused, with an error at the first field that names the others; SwiftData's, which makes one record
/// of both, does not exist here. Where one of the properties is nil, nothing is compared.
///
/// - Parameter constraints: Lists of stored properties.
@freestanding(declaration)
public macro Unique<M: Model>(_ constraints: [PartialKeyPath<M>]...) =
    #externalMacro(module: "AviaryMacros", type: "PropertyGroupMacro")

/// Gives the file an index over properties in this order. Written inside of the model.
///
/// ```swift
/// #Index<Edition>([\.publisher, \.year], [\.title])
/// ```
///
/// Conditions on the first property of a list, or on the first and those behind it, then find their records without looking
/// at every one, and an order by the list is read as it stands. Every index is written with each record: have those that
/// queries use.
///
/// - Parameter indexes: Lists of stored properties. One property is what `@Attribute(.indexed)` says, too.
@freestanding(declaration)
public macro Index<M: Model>(_ indexes: [PartialKeyPath<M>]...) =
    #externalMacro(module: "AviaryMacros", type: "PropertyGroupMacro")

/// Says of a to-many relation which property is its other side, what a delete does to its records, and how many there may
/// be.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Animal.category)
/// var animals: Related<Animal>
/// ```
///
/// A relation is one-to-many when the inverse is a ``Reference``, and many-to-many when it is a ``Related`` too. One side
/// names the inverse, and the other side of a many-to-many relation only says that it is one:
///
/// ```swift
/// @Relationship(minimumModelCount: 1, inverse: \Author.books) var authors: Related<Author>  // of Book
/// @Relationship var books: Related<Book>                                                    // of Author
/// ```
///
/// A relation of a model with itself has two properties too, such as `follows` and `followers`, or is its own inverse:
///
/// ```swift
/// @Relationship(.symmetric) var friends: Related<Person>
/// ```
///
/// When both sides name an inverse, each macro waits for the other and the compiler says "circular reference": remove `inverse:`
/// from one of them.
///
/// - Parameters:
///   - options: What else holds for the relation.
///   - deleteRule: What happens to the related records when the record that has this property is deleted.
///   - minimumModelCount: How many related records there are at least; the store refuses what would leave fewer.
///   - maximumModelCount: How many there are at most; nil for any number.
///   - originalName: What the property of a many-to-many relation was called before: its links move along. Any other
///     relation is kept by its reference, whose `@Attribute` says it.
///   - inverse: The property of the related model that points back. Left out where that property names this one.
@attached(peer)
public macro Relationship(
    _ options: RelationshipOption...,
    deleteRule: DeleteRule = .nullify,
    minimumModelCount: Int? = nil,
    maximumModelCount: Int? = nil,
    originalName: String? = nil,
    inverse: (any AnyKeyPath & Sendable)? = nil
) = #externalMacro(module: "AviaryMacros", type: "RelationshipMacro")
