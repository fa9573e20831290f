import Aviary

extension ExtendedZoo {
    static var loadScenarios: [LoadScenario] {
        let overview = LoadAction("overview") { visitor in
            let page = try await visitor.get("/admin", step: "page")
            if page.status != 200 { visitor.report("The overview was answered with status \(page.status).") }
        }
        let newcomer = LoadAction("newcomer") { visitor in
            let sheet = try await visitor.get("/admin/animals/new", step: "open")
            let name = "Newcomer \(UInt64.random(in: 0 ... .max))"
            let saved = try await visitor.submit(sheet, to: "/admin/animals", filling: ["name": name], step: "save")
            if saved.status != 303 { visitor.report("The newcomer was answered with status \(saved.status).") }
        }
        return [LoadScenario("morning", [.browse: 2, .add: 1, overview: 1, newcomer: 1])]
    }
}
