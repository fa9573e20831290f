import AviaryDomain
import Foundation
import TestSupport
import Testing

@Suite("Exact decimals")
struct ScaledDecimalTests {
    @Test(
        "A text parses to a count in units of the last decimal place",
        arguments: [
            ("0", 2, 0), ("1", 2, 100), ("-1.5", 2, -150), ("+0.05", 2, 5), (".5", 1, 5), ("5.", 1, 50),
            ("007.10", 1, 71),
            ("2.500", 1, 25), ("-0", 0, 0), ("9223372036854775807", 0, .max), ("-9223372036854775808", 0, .min),
            ("-9.223372036854775808", 18, .min),
        ] as [(String, Int, Int64)])
    func count(text: String, scale: Int, count: Int64) throws {
        #expect(try ScaledDecimal.count(text, scale: scale) == count)
    }

    @Test(
        "Text that is not a number or does not fit is rejected",
        arguments: [
            ("", .noNumber), (".", .noNumber), ("-", .noNumber), ("1,5", .noNumber), ("1e3", .noNumber),
            ("1.2.3", .noNumber),
            ("٣", .noNumber), ("0x10", .noNumber), ("1.001", .tooManyDigits), ("92233720368547758.08", .tooLarge),
            ("-92233720368547758.09", .tooLarge), ("99999999999999999999999999", .tooLarge),
        ] as [(String, ScaledDecimal.ConversionError)])
    func refused(text: String, refusal: ScaledDecimal.ConversionError) {
        #expect(throws: refusal) { try ScaledDecimal.count(text, scale: 2) }
    }

    @Test(
        "The text of a decimal has all digits of its scale",
        arguments: [
            (0, 2, "0.00"), (-5, 2, "-0.05"), (123, 0, "123"), (.min, 2, "-92233720368547758.08"),
            (.min, 18, "-9.223372036854775808"),
        ] as [(Int64, Int, String)])
    func text(count: Int64, scale: Int, text: String) {
        #expect(ScaledDecimal.text(count, scale: scale) == text)
    }

    @Test("Every count survives a round trip through its text and through Decimal", arguments: 0..<100)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for scale in PropertyType.scales {
            let count =
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator)
            #expect(try ScaledDecimal.count(ScaledDecimal.text(count, scale: scale), scale: scale) == count)
            let number = try Decimal(fieldValue: .integer(count), scale: scale)
            #expect(number.fieldValue(scale: scale) == .integer(count))
            #expect(number == Decimal(string: ScaledDecimal.text(count, scale: scale)))
        }
    }
}
