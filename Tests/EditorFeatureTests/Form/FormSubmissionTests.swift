import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("A submitted form is read by the model's own fields")
struct FormSubmissionTests {
    private static let id = "01928374-0000-7000-8000-00000000000a"
    private static let identity = "draft=\(id)&id=\(id)&version=3"

    @Test("Identity, version and fields are read")
    func read() throws {
        let form = try form("\(Self.identity)&name=Okapi&legs=4")
        #expect(form.draft.canonicalText == Self.id)
        #expect(form.record.canonicalText == Self.id)
        #expect(form.version == 3)
        #expect(form.fields["name"] == "Okapi")
    }

    @Test("A new record's form has no version", arguments: ["", "&version="])
    func noVersion(version: String) throws {
        #expect(try form("draft=\(Self.id)&id=\(Self.id)\(version)").version == nil)
    }

    @Test("Unknown fields, and those that are not stored, have no effect")
    func unknown() throws {
        let form = try form("\(Self.identity)&name=Okapi&wings=2&keepers=\(Self.id)&author=eve&aviary_version=9")
        #expect(form.fields == ["name": "Okapi"])
    }

    @Test("A field that stands in the form is kept, also empty; one that does not is none")
    func absent() throws {
        #expect(try form("\(Self.identity)&legs=").fields == ["legs": ""])
    }

    @Test("How often a page was sent is a number that can still grow, whatever the form says")
    func sequence() throws {
        for text in ["9223372036854775807", "-9223372036854775808", "-1"] {
            let sequence = try #require(try form("\(Self.identity)&name=a&\(FormNames.sequence)=\(text)").sequence)
            #expect((0...1 << 30).contains(sequence), "\(text)")
        }
    }

    @Test("Of a repeated field the last one counts, as of a checkbox and its hidden false")
    func repeated() throws {
        #expect(try form("\(Self.identity)&isTame=false&isTame=true").fields["isTame"] == "true")
        #expect(try form("\(Self.identity)&name=a&name=b").fields["name"] == "b")
    }

    @Test("Line breaks are kept as LF, however a browser sends them; a lone CR is somebody's own")
    func lineBreaks() throws {
        #expect(try form("\(Self.identity)&name=a%0D%0Ab%0Ac%0Dd").fields["name"] == "a\nb\nc\rd")
        #expect(try form("\(Self.identity)&name=%0D%0D%0A").fields["name"]?.utf8.elementsEqual("\r\n".utf8) == true)
    }

    @Test(
        "A form without the hidden fields of ours, or with damaged ones, is refused",
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
