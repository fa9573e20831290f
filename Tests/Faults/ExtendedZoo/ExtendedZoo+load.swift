import Aviary

extension ExtendedZoo {
    static var loadScenarios: [LoadScenario] {
        let overview = LoadAction("overview") { visitor in
            let page = try await visitor.get("/admin", step: "page")
            if page.status != 200 { visitor.report("The overview was answered with status \(page.status).") }
        }
        return [LoadScenario("morning", [.browse: 2, .add: 1, overview: 1])]
    }
}
