import AviaryDomain
import Foundation

extension Exhibit {
    /// With the least that each property can hold.
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

    /// With the greatest.
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
