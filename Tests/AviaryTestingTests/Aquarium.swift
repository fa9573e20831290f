import Aviary

@Model
struct Crab {
    @Attribute(.required) var name: String
    var isShy: Bool = true
    var notes: String = ""
    @Attribute(.length(0...2000)) var story: String = ""
    var reply: String = ""

    func validate() -> [FieldProblem] {
        reply != "" && story == "" ? [FieldProblem(\Crab.story, "Tell the story before the reply.")] : []
    }
}

/// An application with a role, a save hook and routes of its own.
struct Aquarium: AviaryApp {
    static let diver = Role("diver", .allow(.view, .edit, on: Crab.self))

    var admin: some Admin {
        ModelAdmin(Crab.self).columns(\.name, \.isShy)
    }

    var roles: [Role] { [Self.diver] }

    var sampleData: [any Model] { [Crab(name: "Hermit")] }

    var saveHooks: [SaveHook] {
        SaveHook.before(Crab.self) { crab, _ in
            if crab.name == "Whale" { throw SaveError(\Crab.name, "A whale is not a crab.") }
        }
    }

    var routes: [Route] {
        Route.get("/count", access: .everyone) { request in
            try .json(["crabs": try await request.store.repository(for: Crab.self).fetchCount()])
        }
        Route.get("/schedule", access: .everyone) { request in
            .html("Schedule for \(request.query("day") ?? "every day")") {
                PageForm(to: "/schedule", method: .get, fields: [.text("day", "Day")], submit: "Show")
                PageForm(to: "/schedule", fields: [.multiline("text", "Text")], submit: "Add")
                PageForm(to: "/cancel", hidden: ["dive": "1"], fields: [], submit: "Cancel 1")
                PageForm(to: "/cancel", hidden: ["dive": "2"], fields: [], submit: "Cancel 2")
            }
        }
        Route.post("/schedule", access: .everyone) { request in try .json([request.form("text")]) }
        Route.post("/rename", access: .roles(["diver"])) { request in
            .text(request.form("name") ?? "")
        }
    }
}
