import AviaryDomain

/// Makes a struct an ``Embedded``: stored inside of a record as JSON, and asked for by its properties.
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
/// The macro adds the conformance, with which Swift makes the struct `Codable`, and ``Embedded/embeddedProperties``
/// from the stored properties and the `CodingKeys` that stand in the struct. A property that JSON does not have, because
/// `CodingKeys` leaves it out, needs an initial value and is not stored. Give a property that is added later a question mark:
/// records from before do not have it, and could not be read without.
@attached(member, names: named(embeddedProperties))
@attached(extension, conformances: Embedded)
public macro Embedded() = #externalMacro(module: "AviaryMacros", type: "EmbeddedMacro")
