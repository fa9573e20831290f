import AviaryDomain
import Testing

@Suite("Sizes in words")
struct SizeTests {
    @Test(
        "Bytes are told in the unit that suits them",
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (10_239, "10 KiB"),
            (1_048_575, "1.0 MiB"),
            (52_428_800, "50 MiB"), (3_221_225_472, "3.0 GiB"),
        ])
    func size(bytes: Int, text: String) {
        #expect(Words.size(bytes) == text)
    }
}
