import Testing

@testable import AviaryServer

@Suite("Amounts in a terminal")
struct AmountTests {
    @Test(
        "Durations are told in their two largest units",
        arguments: [
            (0.4, "0 s"), (45.9, "45 s"), (725, "12 min 5 s"), (3600, "1 h"), (273_600, "3 d 4 h"), (-5, "0 s"),
        ])
    func duration(seconds: Double, text: String) {
        #expect(Amount.duration(seconds) == text)
    }
}
