import Aviary
import Foundation

/// A model with a property of every type.
@Model
struct Specimen {
    enum Kind: String, Choice { case bone, feather, eggShell }
    enum Grade: Int, Choice { case poor = 1, fair, good }
    /// A type that is `Codable` and has no other support.
    struct Origin: Codable, Hashable {
        var country: String
        var region: String?
    }

    @Embedded
    struct Label: Hashable {
        var text: String
        var shelf: Int?
        enum CodingKeys: String, CodingKey { case text, shelf = "place" }
    }

    @Attribute(.required) var name: String
    var isCast = false
    var int = 1
    var int8: Int8 = -1
    var int16: Int16 = 16
    var int32: Int32 = 32
    var int64: Int64 = 64
    var uint: UInt = 1
    var uint8: UInt8 = 8
    var uint16: UInt16 = 16
    var uint32: UInt32 = 32
    var uint64: UInt64 = 64
    var weight = 0.5
    var density: Float = 1.1
    @Attribute(.scale(3)) var price: Decimal = 0
    var found: Date = Date(timeIntervalSince1970: 0)
    var day: CalendarDate = .today
    var key: UUID = UUID()
    var image: Data = Data()
    var page: URL?
    var kind: Kind = .bone
    var grade: Grade = .fair
    var origin: Origin = Origin(country: "unknown")
    var label: Label?
    var tags: [String] = []
    var prices: [Decimal] = []
    var grades: [Grade]?
    var colours: Set<String> = []
    var parent: Reference<Specimen>?
}
