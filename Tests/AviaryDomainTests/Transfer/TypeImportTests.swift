import AllTypesModel
import AviaryDomain
import Foundation
import Testing

@Suite("Importing values of every type")
struct TypeImportTests {
    @Test("Values are imported as a form writes them, and integer choices by name")
    func values() async throws {
        let text = """
            text,int8,uint64,float,price,mass,image,page,kind,grade,origin,label,tags,sizes,maybePrice,maybeTags,key,found,day
            A,-128,9223372036854775807,0.5,1.50,0.000001,SGVsbG8=,https://example.com,EGGSHELL,good,"{""country"":""Peru"",""depths"":[]}",\
            "{""text"":""x"",""grade"":0,""next"":[]}","one
            two",1;2,,,017f22e2-79b0-7cc3-98c4-dc0c0c07398f,2026-11-20T09:30Z,2024-02-29

            """.replacing(",1;2,", with: ",\"1\n2\",")
        let insert = try #require(try await plan(text).inserts.first)
        let expected: [String: FieldValue] = [
            "int8": .integer(-128), "uint64": .integer(.max), "float": .real(0.5), "price": .integer(150),
            "mass": .integer(1),
            "image": .blob(Array("Hello".utf8)), "page": .text("https://example.com"), "kind": .text("eggShell"),
            "grade": .integer(7),
            "origin": .text(#"{"country":"Peru","depths":[]}"#), "tags": .text(#"["one","two"]"#),
            "sizes": .text("[1,2]"),
            "maybePrice": .null, "maybeTags": .null,
        ]
        for (property, value) in expected { #expect(insert.values[property] == value, "\(property)") }
    }

    @Test("An invalid value is reported with its line")
    func problems() async {
        let message = await #expect(throws: ImportError.self) {
            try await plan("text,int8,price\nA,128,1\nB,1,0.001\n")
        }
        let text = message.map { String(describing: $0) } ?? ""
        #expect(text.contains("int8: Enter a whole number from -128 to 127."))
        #expect(text.contains("price: Enter at most 2 digits after the decimal point."))
    }

    /// Plans an import into a model with the properties that the file has.
    private func plan(_ text: String) async throws -> ImportPlan {
        let columns = text.prefix { $0 != "\n" }.split(separator: ",").map(String.init)
        let model = ModelSchema(
            name: "Exhibit", properties: Exhibit.schema.storedProperties.filter { columns.contains($0.name) })
        let settings = RecordImport(
            model: model, schema: try Schema([model]), mapping: [], nullMarkers: [], createRelated: false)
        return try await settings.plan(Array(text.utf8), lookUp: NothingStored())
    }
}
