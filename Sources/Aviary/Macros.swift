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
/// - what ``AviaryDomain/Model`` asks for: `schema`, `init(from:)` and `bind(to:)`, and the conformance.
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
/// - Parameter options: What holds for the property's values.
@attached(peer)
public macro Attribute(_ options: AttributeOption...) = #externalMacro(module: "AviaryMacros", type: "AttributeMacro")

/// Names the reference that a to-many relation is the other side of, and what a delete does to its records.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Animal.category)
/// var animals: Related<Animal>
/// ```
///
/// - Parameters:
///   - deleteRule: What happens to the related records when the record that owns them is deleted.
///   - inverse: The property of the related model that points back: a ``Reference``, optional or not. The relation is
///     named on this side only.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify,
    inverse: any AnyKeyPath & Sendable
) = #externalMacro(module: "AviaryMacros", type: "RelationshipMacro")
