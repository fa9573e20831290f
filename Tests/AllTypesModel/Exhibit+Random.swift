import AviaryDomain
import Foundation

extension Exhibit {
    /// - Parameter generator: Gives the same exhibit, but for its id, when it is in the same state.
    package static func random(using generator: inout some RandomNumberGenerator) -> Exhibit {
        var random = RandomValues(generator: generator)
        defer { generator = random.generator }
        var exhibit = Exhibit()
        exhibit.text = random.text()
        exhibit.flag = random.flag()
        exhibit.int = random.integer()
        exhibit.int8 = random.integer()
        exhibit.int16 = random.integer()
        exhibit.int32 = random.integer()
        exhibit.int64 = random.integer()
        exhibit.uint = UInt(random.integer(in: 0...Int64.max))
        exhibit.uint8 = random.integer()
        exhibit.uint16 = random.integer()
        exhibit.uint32 = random.integer()
        exhibit.uint64 = UInt64(random.integer(in: 0...Int64.max))
        exhibit.double = random.double()
        exhibit.float = random.float()
        exhibit.price = random.decimal(scale: 2)
        exhibit.mass = random.decimal(scale: 6)
        exhibit.found = random.date()
        exhibit.day = random.day()
        exhibit.key = random.uuid()
        exhibit.image = random.data()
        exhibit.page = random.url()
        exhibit.kind = random.element(of: Kind.allCases) ?? .bone
        exhibit.grade = random.element(of: Grade.allCases) ?? .fair
        exhibit.origin = random.origin()
        exhibit.label = random.label()
        exhibit.tags = random.array { $0.text() }
        exhibit.sizes = random.array { $0.decimal(scale: 3) }
        exhibit.kinds = random.array { $0.element(of: Kind.allCases) ?? .bone }
        exhibit.labels = random.array { $0.label() }
        exhibit.colours = Set(random.array { $0.text() })
        exhibit.maybeByte = random.maybe { $0.integer() }
        exhibit.maybePrice = random.maybe { $0.decimal(scale: 2) }
        exhibit.maybeFound = random.maybe { $0.date() }
        // Without anything in it, it is nil in a form.
        exhibit.maybeImage = random.maybe { $0.data() + Data([1]) }
        exhibit.maybePage = random.maybe { $0.url() }
        exhibit.maybeGrade = random.maybe { $0.element(of: Grade.allCases) ?? .fair }
        exhibit.maybeOrigin = random.maybe { $0.origin() }
        exhibit.maybeLabel = random.maybe { $0.label() }
        exhibit.maybeTags = random.maybe { $0.array { $0.text() } + ["tag"] }
        return exhibit
    }
}

private struct RandomValues<Generator: RandomNumberGenerator> {
    var generator: Generator

    mutating func flag() -> Bool { Bool.random(using: &generator) }

    mutating func element<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &generator) }

    mutating func integer<Number: FixedWidthInteger>() -> Number { integer(in: Number.min...Number.max) }

    /// Every fourth at an end of the range, or near zero.
    mutating func integer<Number: FixedWidthInteger>(in range: ClosedRange<Number>) -> Number {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: range.lowerBound
        case 1: range.upperBound
        default: Number.random(in: range, using: &generator)
        }
    }

    mutating func double() -> Double {
        let number = Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
        return flag() && number.isFinite ? number : Double(Int.random(in: -1000...1000, using: &generator)) / 8
    }

    mutating func float() -> Float {
        let number = Float(bitPattern: UInt32.random(in: .min ... .max, using: &generator))
        return flag() && number.isFinite ? number : Float(Int.random(in: -1000...1000, using: &generator)) / 10
    }

    mutating func decimal(scale: Int) -> Decimal {
        let count: Int64 = flag() ? integer() : Int64.random(in: -100_000...100_000, using: &generator)
        return Decimal(sign: count < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(count.magnitude))
    }

    /// Returns a time in whole milliseconds, as times are stored.
    mutating func date() -> Date {
        let seconds = Int.random(in: -62_167_219_200..<253_402_300_800, using: &generator)
        return Date(timeIntervalSince1970: Double(seconds) + Double(Int.random(in: 0..<8, using: &generator)) / 8)
    }

    mutating func day() -> CalendarDate {
        CalendarDate(
            year: .random(in: 0...9999, using: &generator), month: .random(in: 1...12, using: &generator),
            day: .random(in: 1...28, using: &generator)
        ) ?? .today
    }

    mutating func uuid() -> UUID {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    mutating func data() -> Data {
        Data(
            (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            })
    }

    mutating func text() -> String {
        let pieces = [
            "a", "Z", " ", "\n", "\"", "\\", "[", "]", ",", "é", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}", "<b>", "&",
            "0", "\t", "\u{2028}", "'",
        ]
        return (0..<Int.random(in: 0..<8, using: &generator)).map { _ in element(of: pieces) ?? "" }.joined()
    }

    mutating func url() -> URL {
        let texts = [
            "https://example.com", "http://localhost:8080/a/b?c=d&e=f#g", "mailto:ada@example.com",
            "https://example.com/%C3%A9%20x", "urn:isbn:0451450523",
        ]
        return element(of: texts).flatMap { URL(string: $0) } ?? URL(filePath: "/")
    }

    mutating func origin() -> Exhibit.Origin {
        Exhibit.Origin(country: text(), found: maybe { $0.date() }, depths: array { $0.double() })
    }

    mutating func label(depth: Int = 0) -> Exhibit.Label {
        Exhibit.Label(
            text: text(), grade: element(of: Exhibit.Grade.allCases) ?? .fair,
            next: depth < 2 ? array { $0.label(depth: depth + 1) } : []
        )
    }

    mutating func array<Element>(_ make: (inout Self) -> Element) -> [Element] {
        (0..<Int.random(in: 0..<4, using: &generator)).map { _ in make(&self) }
    }

    mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        flag() ? make(&self) : nil
    }
}
