package import AviaryDomain
package import Foundation

/// A model with a property of every type, written by hand.
package struct Exhibit: Model, Equatable {
    package enum Kind: String, Choice { case bone, feather, eggShell }
    package enum Grade: Int, Choice { case poor = -1, fair = 0, good = 7 }
    /// Codable and nothing else.
    package struct Origin: Codable, Hashable, Sendable {
        package var country: String
        package var found: Date?
        package var depths: [Double] = []

        package init(country: String, found: Date? = nil, depths: [Double] = []) {
            self.country = country
            self.found = found
            self.depths = depths
        }
    }
    package struct Label: Embedded, Hashable {
        package var text: String
        package var grade = Grade.fair
        package var next: [Label] = []

        package init(text: String, grade: Grade = .fair, next: [Label] = []) {
            self.text = text
            self.grade = grade
            self.next = next
        }

        package static let embeddedProperties = [
            EmbeddedProperty(\Self.text, "text"), EmbeddedProperty(\Self.grade, "grade"),
            EmbeddedProperty(\Self.next, "next"),
        ]
    }

    package var text = ""
    package var flag = false
    package var int = 0
    package var int8: Int8 = 0
    package var int16: Int16 = 0
    package var int32: Int32 = 0
    package var int64: Int64 = 0
    package var uint: UInt = 0
    package var uint8: UInt8 = 0
    package var uint16: UInt16 = 0
    package var uint32: UInt32 = 0
    package var uint64: UInt64 = 0
    package var double = 0.0
    package var float: Float = 0
    package var price: Decimal = 0
    package var mass: Decimal = 0
    package var found = Date(timeIntervalSince1970: 0)
    package var day = CalendarDate.today
    package var key = UUID()
    package var image = Data()
    package var page = URL(filePath: "/")
    package var kind = Kind.bone
    package var grade = Grade.fair
    package var origin = Origin(country: "")
    package var label = Label(text: "")
    package var tags: [String] = []
    package var sizes: [Decimal] = []
    package var kinds: [Kind] = []
    package var labels: [Label] = []
    package var colours: Set<String> = []
    package var maybeByte: UInt8?
    package var maybePrice: Decimal?
    package var maybeFound: Date?
    package var maybeImage: Data?
    package var maybePage: URL?
    package var maybeGrade: Grade?
    package var maybeOrigin: Origin?
    package var maybeLabel: Label?
    package var maybeTags: [String]?
    package var parent: Reference<Exhibit>?
    package var id = RecordID<Exhibit>()

    package init() {}

    package static let schema = ModelSchema(
        Exhibit.self,
        [
            PropertyDefinition(\.text, "text"), PropertyDefinition(\.flag, "flag"), PropertyDefinition(\.int, "int"),
            PropertyDefinition(\.int8, "int8"), PropertyDefinition(\.int16, "int16"),
            PropertyDefinition(\.int32, "int32"),
            PropertyDefinition(\.int64, "int64"), PropertyDefinition(\.uint, "uint"),
            PropertyDefinition(\.uint8, "uint8"),
            PropertyDefinition(\.uint16, "uint16"), PropertyDefinition(\.uint32, "uint32"),
            PropertyDefinition(\.uint64, "uint64"), PropertyDefinition(\.double, "double"),
            PropertyDefinition(\.float, "float"), PropertyDefinition(\.price, "price"),
            PropertyDefinition(\.mass, "mass", default: { 1.5 }, attributes: [.scale(6)]),
            PropertyDefinition(\.found, "found"), PropertyDefinition(\.day, "day"), PropertyDefinition(\.key, "key"),
            PropertyDefinition(\.image, "image"), PropertyDefinition(\.page, "page"),
            PropertyDefinition(\.kind, "kind"),
            PropertyDefinition(\.grade, "grade", default: { .fair }), PropertyDefinition(\.origin, "origin"),
            PropertyDefinition(\.label, "label"), PropertyDefinition(\.tags, "tags", default: { ["new"] }),
            PropertyDefinition(\.sizes, "sizes", attributes: [.scale(3)]), PropertyDefinition(\.kinds, "kinds"),
            PropertyDefinition(\.labels, "labels"), PropertyDefinition(\.colours, "colours"),
            PropertyDefinition(\.maybeByte, "maybeByte"), PropertyDefinition(\.maybePrice, "maybePrice"),
            PropertyDefinition(\.maybeFound, "maybeFound"), PropertyDefinition(\.maybeImage, "maybeImage"),
            PropertyDefinition(\.maybePage, "maybePage"), PropertyDefinition(\.maybeGrade, "maybeGrade"),
            PropertyDefinition(\.maybeOrigin, "maybeOrigin"), PropertyDefinition(\.maybeLabel, "maybeLabel"),
            PropertyDefinition(\.maybeTags, "maybeTags"), PropertyDefinition(\.parent, "parent"),
        ])

    package init(from reader: inout FieldReader) throws {
        text = try reader.next("text")
        flag = try reader.next("flag")
        int = try reader.next("int")
        int8 = try reader.next("int8")
        int16 = try reader.next("int16")
        int32 = try reader.next("int32")
        int64 = try reader.next("int64")
        uint = try reader.next("uint")
        uint8 = try reader.next("uint8")
        uint16 = try reader.next("uint16")
        uint32 = try reader.next("uint32")
        uint64 = try reader.next("uint64")
        double = try reader.next("double")
        float = try reader.next("float")
        price = try reader.next("price")
        mass = try reader.next("mass")
        found = try reader.next("found")
        day = try reader.next("day")
        key = try reader.next("key")
        image = try reader.next("image")
        page = try reader.next("page")
        kind = try reader.next("kind")
        grade = try reader.next("grade")
        origin = try reader.next("origin")
        label = try reader.next("label")
        tags = try reader.next("tags")
        sizes = try reader.next("sizes")
        kinds = try reader.next("kinds")
        labels = try reader.next("labels")
        colours = try reader.next("colours")
        maybeByte = try reader.next("maybeByte")
        maybePrice = try reader.next("maybePrice")
        maybeFound = try reader.next("maybeFound")
        maybeImage = try reader.next("maybeImage")
        maybePage = try reader.next("maybePage")
        maybeGrade = try reader.next("maybeGrade")
        maybeOrigin = try reader.next("maybeOrigin")
        maybeLabel = try reader.next("maybeLabel")
        maybeTags = try reader.next("maybeTags")
        parent = try reader.next("parent")
        id = try reader.next("id")
    }

    package func bind(to writer: inout FieldWriter) {
        writer.bind(text)
        writer.bind(flag)
        writer.bind(int)
        writer.bind(int8)
        writer.bind(int16)
        writer.bind(int32)
        writer.bind(int64)
        writer.bind(uint)
        writer.bind(uint8)
        writer.bind(uint16)
        writer.bind(uint32)
        writer.bind(uint64)
        writer.bind(double)
        writer.bind(float)
        writer.bind(price)
        writer.bind(mass)
        writer.bind(found)
        writer.bind(day)
        writer.bind(key)
        writer.bind(image)
        writer.bind(page)
        writer.bind(kind)
        writer.bind(grade)
        writer.bind(origin)
        writer.bind(label)
        writer.bind(tags)
        writer.bind(sizes)
        writer.bind(kinds)
        writer.bind(labels)
        writer.bind(colours)
        writer.bind(maybeByte)
        writer.bind(maybePrice)
        writer.bind(maybeFound)
        writer.bind(maybeImage)
        writer.bind(maybePage)
        writer.bind(maybeGrade)
        writer.bind(maybeOrigin)
        writer.bind(maybeLabel)
        writer.bind(maybeTags)
        writer.bind(parent)
        writer.bind(id)
    }
}

extension Exhibit {
    /// An exhibit with the least value of each property.
    package static let least: Exhibit = {
        var exhibit = Exhibit()
        exhibit.int = .min
        exhibit.int8 = .min
        exhibit.int16 = .min
        exhibit.int32 = .min
        exhibit.int64 = .min
        exhibit.double = -.greatestFiniteMagnitude
        exhibit.float = -.greatestFiniteMagnitude
        exhibit.price = Decimal(string: "-92233720368547758.08") ?? 0
        exhibit.mass = Decimal(string: "-9223372036854.775808") ?? 0
        exhibit.found = Date(rfc3339: "0000-01-01T00:00:00.000Z") ?? .distantPast
        exhibit.day = CalendarDate(year: 0, month: 1, day: 1) ?? .today
        exhibit.grade = .poor
        exhibit.sizes = [Decimal(string: "-9223372036854775.808") ?? 0]
        exhibit.maybeByte = 0
        exhibit.maybePrice = exhibit.price
        exhibit.maybeFound = exhibit.found
        return exhibit
    }()

    /// An exhibit with the greatest value of each property.
    package static let greatest: Exhibit = {
        var exhibit = Exhibit()
        exhibit.text = "line\nline \u{1F99C}e\u{301} \"quoted\" \\ <b>&amp;"
        exhibit.flag = true
        exhibit.int = .max
        exhibit.int8 = .max
        exhibit.int16 = .max
        exhibit.int32 = .max
        exhibit.int64 = .max
        exhibit.uint = UInt(Int64.max)
        exhibit.uint8 = .max
        exhibit.uint16 = .max
        exhibit.uint32 = .max
        exhibit.uint64 = UInt64(Int64.max)
        exhibit.double = .greatestFiniteMagnitude
        exhibit.float = .greatestFiniteMagnitude
        exhibit.price = Decimal(string: "92233720368547758.07") ?? 0
        exhibit.mass = Decimal(string: "9223372036854.775807") ?? 0
        exhibit.found = Date(rfc3339: "9999-12-31T23:59:59.999Z") ?? .distantFuture
        exhibit.day = CalendarDate(year: 9999, month: 12, day: 31) ?? .today
        exhibit.image = Data(repeating: 0xFF, count: PropertyType.longestData)
        exhibit.page = URL(string: "https://user@example.com:8443/a%20b/?q=1&r=%C3%A9#part") ?? exhibit.page
        exhibit.kind = .eggShell
        exhibit.grade = .good
        exhibit.origin = Origin(country: "Zaïre\n\"D.R.C.\"", found: exhibit.found, depths: [0.1, -3, 1e300])
        exhibit.label = Label(text: "/", grade: .good, next: [Label(text: "a", next: [Label(text: "b")])])
        exhibit.tags = ["two\nlines", "", " blank ", "[", "é"]
        exhibit.sizes = [Decimal(string: "9223372036854775.807") ?? 0, Decimal(string: "0.001") ?? 0]
        exhibit.kinds = Kind.allCases
        exhibit.labels = [exhibit.label, Label(text: "")]
        exhibit.colours = ["red", "green", "é"]
        exhibit.maybeByte = .max
        exhibit.maybePrice = exhibit.price
        exhibit.maybeFound = exhibit.found
        exhibit.maybeImage = Data([0, 1, 2])
        exhibit.maybePage = URL(string: "mailto:ada@example.com")
        exhibit.maybeGrade = .poor
        exhibit.maybeOrigin = Origin(country: "")
        exhibit.maybeLabel = exhibit.label
        exhibit.maybeTags = ["plain", "words"]
        exhibit.parent = Reference(id: exhibit.id)
        return exhibit
    }()
}
