import Aviary

/// New with the first property.
@Model
struct Keeper {
    @Attribute(.required) var name: String
}
