import Foundation
import TestSupport
import Testing

@testable import AviaryDomain

@Suite("What is JSON is told as Foundation tells it, in one pass")
struct JSONShapeTests {
    @Test(
        "JSON",
        arguments: [
            "null", " true ", "-0", "0.5e-10", "\"\"", #""\u0041\n\"\\\/""#, "[]", "[ 1 , [ ] ]", "{}",
            #"{"a":{"b":[null]}}"#, "1E+400",
            "\n\r\t[\n]", "\"é\u{1F99C}\"",
        ])
    func json(text: String) {
        #expect(JSONText.isJSON(text))
    }

    @Test(
        "no JSON",
        arguments: [
            "", " ", "nul", "True", "01", "-", "1.", ".5", "1e", "+1", "\"", "\"\n\"", #""\x""#, #""\u12""#, "[",
            "[1,]", "[,1]", "[1 2]",
            "{", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{}{}", "1 1", "'a'", "NaN", "[1]x", "\u{FEFF}1",
        ])
    func noJSON(text: String) {
        #expect(!JSONText.isJSON(text))
    }

    @Test("random texts of JSON's characters are judged as by Foundation", arguments: 0..<50)
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

    @Test("what is deeper than Foundation reads is refused, and fills no stack")
    func depth() {
        #expect(JSONText.isJSON(String(repeating: "[", count: 500) + String(repeating: "]", count: 500)))
        #expect(!JSONText.isJSON(String(repeating: "[", count: 500_000) + String(repeating: "]", count: 500_000)))
        #expect(!JSONText.isJSON(String(repeating: "{\"a\":", count: 100_000)))
    }

    @Test("a key that is there twice is told, however it is written")
    func repeated() {
        #expect(JSONText.unknownPart(of: #"{"a":1,"\u0061":2}"#, comparedWith: #"{"a":1}"#) == "a")
        #expect(JSONText.unknownPart(of: #"{"b":[{"a":1,"c":null}]}"#, comparedWith: #"{"b":[{"a":1}]}"#) == nil)
    }
}
