import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("Parsing a submitted form")
struct FormSubmissionTests {
    private static let id = "01928374-0000-7000-8000-00000000000a"
    private static let identity = "draft=\(id)&id=\(id)&version=3"

    @Test("The identity, the version and the fields are parsed")
    func read() throws {
        let form = try form("\(Self.identity)&name=Okapi&legs=4")
        #expect(form.draft.canonicalText == Self.id)
        #expect(form.record.canonicalText == Self.id)
        #expect(form.version == 3)
        #expect(form.fields["name"] == "Okapi")
    }

    @Test("A form of a new record has no version", arguments: ["", "&version="])
    func noVersion(version: String) throws {
        #expect(try form("draft=\(Self.id)&id=\(Self.id)\(version)").version == nil)
    }

    @Test("Unknown and unstored fields are ignored")
    func unknown() throws {
        let form = try form("\(Self.identity)&name=Okapi&wings=2&keepers=\(Self.id)&author=eve&aviary_version=9")
        #expect(form.fields == ["name": "Okapi"])
    }

    @Test("An empty field is kept, and a missing field is absent")
    func absent() throws {
        #expect(try form("\(Self.identity)&legs=").fields == ["legs": ""])
    }

    @Test("The sequence number is clamped to a safe range")
    func sequence() throws {
        for text in ["9223372036854775807", "-9223372036854775808", "-1"] {
            let sequence = try #require(try form("\(Self.identity)&name=a&\(FormNames.sequence)=\(text)").sequence)
            #expect((0...1 << 30).contains(sequence), "\(text)")
        }
    }

    @Test("The last value of a repeated field counts")
    func repeated() throws {
        #expect(try form("\(Self.identity)&isTame=false&isTame=true").fields["isTame"] == "true")
        #expect(try form("\(Self.identity)&name=a&name=b").fields["name"] == "b")
    }

    @Test("CRLF becomes LF, and a lone CR is kept")
    func lineBreaks() throws {
        #expect(try form("\(Self.identity)&name=a%0D%0Ab%0Ac%0Dd").fields["name"] == "a\nb\nc\rd")
        #expect(try form("\(Self.identity)&name=%0D%0D%0A").fields["name"]?.utf8.elementsEqual("\r\n".utf8) == true)
    }

    @Test(
        "A form with missing or invalid hidden fields is rejected",
        arguments: [
            "", "id=\(id)", "draft=\(id)", "draft=&id=\(id)", "draft=x&id=\(id)", "draft=\(id)&id=1",
            "draft=\(id)&id=\(id)&version=x", "draft=\(id)&id=\(id)&version=1.0",
            "draft=\(id)&id=\(id)&version=99999999999999999999", "draft=\(id.uppercased())&id=\(id)",
        ])
    func incomplete(text: String) {
        #expect(throws: FormSubmission.IncompleteForm.self) { try form(text) }
    }

    private func form(_ text: String) throws -> FormSubmission {
        try FormSubmission(FormEncoding.decode(text.utf8), of: animalSchema)
    }
}
