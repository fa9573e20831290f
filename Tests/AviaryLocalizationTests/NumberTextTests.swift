import AviaryLocalization
import Testing

@Suite("Numbers in a language")
struct NumberTextTests {
    @Test(
        "A number is grouped with the separators of the language",
        arguments: [
            ("0", "0", "0"), ("-12408.75", "-12,408.75", "-12.408,75"), ("1234567", "1,234,567", "1.234.567"),
            ("0.001", "0.001", "0,001"), ("1e+20", "1e+20", "1e+20"), ("", "", ""),
        ])
    func grouped(number: String, english: String, german: String) {
        #expect(NumberText.grouped(number, in: nil) == english)
        #expect(NumberText.grouped(number, in: .german) == german)
    }

    @Test("The smallest and the largest integer are formatted")
    func ends() {
        #expect(NumberText.grouped(Int.min, in: .german) == "-9.223.372.036.854.775.808")
        #expect(NumberText.grouped(Int.max, in: nil) == "9,223,372,036,854,775,807")
    }

    @Test("An ungrouped number uses the decimal separator of the language")
    func ungrouped() {
        #expect(NumberText.ungrouped("1234.5", in: .german) == "1234,5")
        #expect(NumberText.ungrouped("1234.5", in: nil) == "1234.5")
        #expect(NumberText.ungrouped("-7", in: .german) == "-7")
    }

    @Test(
        "A single typed comma is a decimal separator if the language uses one",
        arguments: [
            ("2,5", "2.5"), ("-0,25", "-0.25"), ("2.5", "2.5"), ("1.234,5", "1.234,5"), ("1,234,567", "1,234,567"),
            ("12", "12"),
        ])
    func typed(text: String, number: String) {
        #expect(NumberText.typed(text, in: .german) == number)
        #expect(NumberText.typed(text, in: nil) == text)
    }
}
