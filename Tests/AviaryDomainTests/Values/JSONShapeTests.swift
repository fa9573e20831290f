import Foundation
import TestSupport
import Testing

@testable import AviaryDomain

@Suite("Recognizing JSON")
struct JSONShapeTests {
    @Test(
        "Valid JSON is accepted",
        arguments: [
            "null", " true ", "-0", "0.5e-10", "\"\"", #""\u0041\n\"\\\/""#, "[]", "[ 1 , [ ] ]", "{}",
            #"{"a":{"b":[null]}}"#, "1E+400",
            "\n\r\t[\n]", "\"é\u{1F99C}\"",
        ])
    func json(text: String) {
        #expect(JSONText.isJSON(text))
    }

    @Test(
        "Invalid JSON is rejected",
        arguments: [
            "", " ", "nul", "True", "01", "-", "1.", ".5", "1e", "+1", "\"", "\"\n\"", #""\x""#, #""\u12""#, "[",
            "[1,]", "[,1]", "[1 2]",
            "{", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{}{}", "1 1", "'a'", "NaN", "[1]x", "\u{FEFF}1",
        ])
    func noJSON(text: String) {
        #expect(!JSONText.isJSON(text))
    }

    @Test("Random texts are judged as Foundation judges them", arguments: 0..<50)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "1", "-", "0", ".", "e", "null", "true", " ", "\n",
            "\\u00e9",
        ]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            // Foundation parses the text exactly if it is JSON.
            let isReadable =
                (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
            #expect(JSONText.isJSON(text) == isReadable, "\(text)")
        }
    }

    @Test("Deeply nested JSON is rejected without a stack overflow")
    func depth() {
        #expect(JSONText.isJSON(String(repeating: "[", count: 500) + String(repeating: "]", count: 500)))
        #expect(!JSONText.isJSON(String(repeating: "[", count: 500_000) + String(repeating: "]", count: 500_000)))
        #expect(!JSONText.isJSON(String(repeating: "{\"a\":", count: 100_000)))
    }

    @Test("A duplicate key is reported, even if it is escaped")
    func repeated() {
        #expect(JSONText.unknownPart(of: #"{"a":1,"\u0061":2}"#, comparedWith: #"{"a":1}"#) == "a")
        #expect(JSONText.unknownPart(of: #"{"b":[{"a":1,"c":null}]}"#, comparedWith: #"{"b":[{"a":1}]}"#) == nil)
    }
}
