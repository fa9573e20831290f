import Aviary

@Embedded
struct Address {
    var street: String
    var town: String
    var postcode: String?
}
