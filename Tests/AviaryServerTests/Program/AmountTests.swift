@testable import AviaryServer
import Testing

@Suite("Amounts in a terminal")
struct AmountTests {
    @Test("Bytes are told in the unit that suits them", arguments: [
        (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (10_239, "10 KiB"), (52_428_800, "50 MiB"), (3_221_225_472, "3.0 GiB"),
    ])
    func bytes(count: Int, text: String) {
        #expect(Amount.bytes(count) == text)
    }

    @Test("Durations are told in their two largest units", arguments: [
        (0.4, "0 s"), (45.9, "45 s"), (725, "12 min 5 s"), (3600, "1 h"), (273_600, "3 d 4 h"), (-5, "0 s"),
    ])
    func duration(seconds: Double, text: String) {
        #expect(Amount.duration(seconds) == text)
    }
}
