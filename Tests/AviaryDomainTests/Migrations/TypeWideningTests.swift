import Testing

@testable import AviaryDomain

@Suite("Lossless type changes")
struct TypeWideningTests {
    @Test(
        "A wider type keeps values, scales them or converts them to floating point",
        arguments: [
            (PropertyType.sizedInteger(.int8), PropertyType.sizedInteger(.int16), TypeWidening.unchanged),
            (.sizedInteger(.uint8), .sizedInteger(.int16), .unchanged), (.sizedInteger(.uint64), .integer, .unchanged),
            (.boolean, .integer, .unchanged), (.integerChoice([1, 5]), .sizedInteger(.uint8), .unchanged),
            (.float, .double, .unchanged), (.integer, .double, .real),
            (.sizedInteger(.int32), .decimal(scale: 3), .scaled(digits: 3)),
            (.decimal(scale: 2), .decimal(scale: 4), .scaled(digits: 2)), (.choice(["a"]), .string, .unchanged),
            (.url, .string, .unchanged), (.uuid, .string, .unchanged),
            (.array(of: .sizedInteger(.int8)), .array(of: .integer), .unchanged),
            (.array(of: .sizedInteger(.int32)), .array(of: .double), .unchanged),
            (.array(of: .decimal(scale: 2)), .array(of: .decimal(scale: 4)), .unchanged),
            (.array(of: .choice(["a"])), .array(of: .string), .unchanged),
            (.array(of: .array(of: .sizedInteger(.uint8))), .array(of: .array(of: .integer)), .unchanged),
        ])
    func wider(_ narrow: PropertyType, _ wide: PropertyType, _ widening: TypeWidening) {
        #expect(wide.widening(from: narrow) == widening)
    }

    @Test(
        "A type change that would lose or reinterpret values is not a widening",
        arguments: [
            (PropertyType.integer, PropertyType.sizedInteger(.int32)), (.sizedInteger(.int8), .sizedInteger(.uint8)),
            (.integer, .sizedInteger(.uint64)), (.integerChoice([-1]), .sizedInteger(.uint8)), (.double, .float),
            (.double, .integer),
            (.decimal(scale: 4), .decimal(scale: 2)), (.decimal(scale: 2), .double), (.string, .uuid),
            (.string, .choice(["a"])),
            (.integer, .string), (.date, .calendarDate), (.string, .data), (.json, .string),
            (.toOne(model: "A"), .string),
            (.array(of: .integer), .array(of: .double)), (.array(of: .sizedInteger(.uint64)), .array(of: .double)),
            (.array(of: .boolean), .array(of: .integer)), (.array(of: .float), .array(of: .double)),
            (.array(of: .sizedInteger(.int8)), .array(of: .decimal(scale: 2))),
            (.array(of: .integer), .array(of: .sizedInteger(.int8))),
            (.array(of: .integer), .integer), (.integer, .array(of: .integer)), (.array(of: .string), .string),
        ])
    func notWider(_ old: PropertyType, _ new: PropertyType) {
        #expect(new.widening(from: old) == nil)
    }
}
