import Foundation
import Testing

// What a person does in the admin, in one call each.
extension Browser {
    private static let list = "?size=200"

    /// The filled-in form of a new animal, not yet sent.
    func newAnimal(_ name: String, category: String = "") async throws -> Form {
        var form = try Form(sheetOf: try await get("/admin/animals/new?fresh=1"))
        form["name"] = name
        form["diet"] = "herbivorous"
        form["category"] = category
        return form
    }

    func newCategory(_ name: String) async throws -> Form {
        try Form(sheetOf: try await get("/admin/animal-categories/new?fresh=1")).with("name", name)
    }

    /// Stores an animal and returns its id.
    @discardableResult
    func addAnimal(_ name: String, category: String = "") async throws -> String {
        try await add(try await newAnimal(name, category: category), to: "animals")
    }

    func addCategory(_ name: String) async throws -> String {
        try await add(try await newCategory(name), to: "animal-categories")
    }

    /// The form of a stored record.
    func sheet(of model: String, _ id: String) async throws -> Form {
        try Form(sheetOf: try await get("/admin/\(model)/\(id)"))
    }

    func rows(of model: String = "animals", named name: String) async throws -> Int {
        try await get("/admin/\(model)" + Self.list).rows(named: name)
    }

    func exists(_ model: String, _ id: String) async throws -> Bool {
        try await Browser(beside: self).get("/admin/\(model)/\(id)").status == 200
    }

    /// Deletes as the script does: asks for JSON.
    func delete(
        _ model: String, _ ids: [String], changeSet: String = UUID().uuidString.lowercased(), allow: Int? = nil
    ) async throws -> Answer {
        var form = Form(["csrf": try await token(), "changeset": changeSet])
        for id in ids { form.add("id", id) }
        if let allow { form.add("allow", String(allow)) }
        return try await post("/admin/\(model)/delete", form, headers: ["Accept": "application/json"])
    }

    /// A token for a form of this session.
    func token() async throws -> String {
        try #require(try await get("/admin").csrf)
    }

    /// Keeps a draft as the script does.
    func keep(_ form: Form, of model: String = "animals") async throws -> Answer {
        try await post("/admin/\(model)/draft", form, headers: ["X-Requested-With": "fetch"])
    }

    private func add(_ form: Form, to model: String) async throws -> String {
        let answer = try await post("/admin/\(model)", form)
        try #require(answer.status == 303)
        return try #require(form["id"])
    }
}
