import AviaryDomain
import Foundation
import TestSupport
import Testing

// What a person does in the admin, in one call each.
extension Browser {
    /// The filled-in form of a new animal, not yet sent.
    func newAnimal(_ name: String) async throws -> Form {
        try Form(sheetOf: try await get("/admin/animals/new?fresh=1")).with("name", name).with("diet", "herbivorous")
    }

    /// Stores an animal and returns its id.
    @discardableResult
    func addAnimal(_ name: String) async throws -> String {
        let form = try await newAnimal(name)
        let answer = try await post("/admin/animals", form)
        try #require(answer.status == 303, "\(answer.status)")
        return try #require(form["id"])
    }

    func rows(named name: String) async throws -> Int {
        try await get("/admin/animals?size=200").rows(named: name)
    }

    /// On a connection of its own, which any of the workers may take.
    func getAlone(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, headers: headers.merging(["Connection": "close"]) { given, _ in given }, body: nil)
    }

    /// A token for a form of this session.
    func token() async throws -> String {
        try #require(try await get("/admin").csrf)
    }

    /// Keeps a draft as the script does.
    func keep(_ form: Form) async throws -> Answer {
        try await post("/admin/animals/draft", form, headers: ["X-Requested-With": "fetch"])
    }

    /// The answer of whichever worker is there: one that was killed with the connection is asked again.
    func getThroughKills(_ path: String) async throws -> Answer {
        var answer: Answer?
        try await eventually("\(path) was answered with 200") {
            answer = try? await get(path)  // no answer: asked again
            return answer?.status == 200
        }
        return try #require(answer)
    }

    /// Sends a form until it is answered with a redirect, as a person does whose browser lost the connection.
    func postThroughKills(_ path: String, _ form: Form) async throws {
        try await eventually("\(path) was acknowledged") {
            (try? await post(path, form))?.status == 303  // no answer: sent again
        }
    }
}

extension Form {
    /// The same form for another record, as if its sheet had been opened apart.
    func another(named name: String) -> Form {
        with("name", name).with("id", UUID().uuidString.lowercased()).with("draft", UUID().uuidString.lowercased())
    }
}
