import Foundation
import Testing

@Suite("Malformed forms", .server)
struct MalformedFormTests {
    private static let form = "application/x-www-form-urlencoded"

    @Test(
        "A form with another content type answers 400",
        arguments: ["text/plain", "multipart/form-data; boundary=x", "application/json", ""])
    func contentType(type: String) async throws {
        try await expect(400, type: type) { $0.encoded }
    }

    @Test(
        "The content type of a form is recognized in any case and with parameters",
        arguments: [
            form, form + "; charset=UTF-8", form + " ; charset=utf-8", form.uppercased(),
        ])
    func spelling(type: String) async throws {
        let browser = Browser(try .shared)
        let animal = try await browser.newAnimal("Typed \(type)")
        #expect(
            try await browser.post("/admin/animals", body: animal.encoded, headers: ["Content-Type": type]).status
                == 303)
    }

    @Test(
        "Invalid percent encoding or UTF-8 in a name or value answers 400",
        arguments: [
            "%ZZ", "%", "%4", "%FF", "%C3%28", "%ED%A0%80",
        ])
    func encoding(broken: String) async throws {
        try await expect(400) { $0.encoded + "&name=\(broken)" }
        try await expect(400) { $0.encoded + "&\(broken)=x" }
    }

    @Test("A form above 2 MiB answers 413")
    func tooLarge() async throws {
        try await expect(413) { $0.encoded + "&padding=" + String(repeating: "a", count: 2 << 20) }
    }

    @Test("A form just below 2 MiB is accepted")
    func large() async throws {
        let browser = Browser(try .shared)
        let animal = try await browser.newAnimal("Large")
        let body = animal.encoded + "&padding=" + String(repeating: "a", count: 2_000_000)
        #expect(
            try await browser.post("/admin/animals", body: body, headers: ["Content-Type": Self.form]).status == 303)
    }

    @Test(
        "A form with missing or inconsistent hidden fields answers 400",
        arguments: [
            ("id", nil), ("id", "x"), ("draft", nil), ("draft", ""), ("version", "x"), ("version", "1"),
        ] as [(String, String?)])
    func hidden(field: String, value: String?) async throws {
        try await expect(400) { $0.with(field, value).encoded }
    }

    @Test("An update whose form is for another record answers 400")
    func otherRecord() async throws {
        let browser = Browser(try .shared)
        let (one, two) = (try await browser.addAnimal("One of two"), try await browser.addAnimal("Two of two"))
        let form = try await browser.sheet(of: "animals", one).with("name", "changed").with("diet", "herbivorous")
        #expect(try await browser.post("/admin/animals/\(two)", form).status == 400)
        #expect(try await browser.rows(named: "changed") == 0)
    }

    @Test("A deletion without valid identifiers answers 400", arguments: [[], ["x"], [""], ["1 OR 1=1"]])
    func deletion(ids: [String]) async throws {
        #expect(try await Browser(try .shared).delete("animals", ids).status == 400)
    }

    private func expect(_ status: Int, type: String = form, body: (Form) -> String) async throws {
        let browser = Browser(try .shared)
        let name = Unique.name("Malformed ")
        let animal = try await browser.newAnimal(name)
        let answer = try await browser.post("/admin/animals", body: body(animal), headers: ["Content-Type": type])
        #expect(answer.status == status)
        #expect(answer.header("X-Frame-Options") == ["DENY"])
        #expect(try await browser.rows(named: name) == 0)
    }
}
