import AviaryDomain

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
/// The macro adds the conformance, for which Swift synthesizes `Codable`. It writes ``Embedded/embeddedProperties``
/// from the stored properties and from the `CodingKeys` that are declared inside the struct. A property that
/// `CodingKeys` leaves out is not in the JSON: it needs an initial value and is not stored.
///
/// Make a property optional when you add it later. Older records do not have it, and without the optional they could
/// not be read.
@attached(member, names: named(embeddedProperties))
@attached(extension, conformances: Embedded)
public macro Embedded() = #externalMacro(module: "AviaryMacros", type: "EmbeddedMacro")
