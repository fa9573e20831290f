import Aviary

@Model
struct Crab {
    @Attribute(.required) var name: String
    var isShy: Bool = true
    var notes: String = ""
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
        Route.post("/rename", access: .roles(["diver"])) { request in
            .text(request.form("name") ?? "")
        }
    }
}
