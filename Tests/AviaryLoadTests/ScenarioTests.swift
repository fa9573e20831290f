import Histogram
import Testing

@testable import AviaryLoad

@Suite("Scenarios with weighted actions") struct ScenarioTests {
    private func names(_ scenario: LoadScenario) -> [String] {
        (0..<scenario.totalWeight).map { scenario.action($0).name }
    }

    @Test("Each action of the mixed scenario occurs according to its weight")
    func mixture() {
        let drawn = names(.mixed)
        #expect(drawn.count == 100)
        #expect(Set(drawn) == ["add", "browse", "edit", "delete", "delete-undo", "draft", "refused"])
        #expect(drawn.count { $0 == "add" } == 25)
    }

    @Test("Weights can be given as text, and an action that is not named is omitted")
    func weighted() throws {
        let scenario = try LoadScenario.mixed.weighted("add=1,delete-undo=3,browse=0")
        #expect(names(scenario) == ["add", "delete-undo", "delete-undo", "delete-undo"])
        #expect(scenario.name == "mixed")
    }

    @Test("Weights survive a round trip through text")
    func roundTrip() throws {
        #expect(names(try LoadScenario.add.weighted(LoadScenario.mixed.weights)) == names(.mixed))
    }

    @Test(
        "Invalid weights are rejected with a description",
        arguments: ["", "add", "add=x", "dance=1", "add=-1", "add=0", "add=99999999"])
    func nonsense(_ text: String) {
        let error = #expect(throws: LoadPlanError.self) { try LoadScenario.mixed.weighted(text) }
        #expect(error?.description.isEmpty == false)
    }

    @Test("A custom action can be weighted by its name")
    func own() throws {
        let scenario = LoadScenario("morning", [.browse: 1, LoadAction("Feeding time!") { _ in }: 2])
        #expect(names(scenario) == ["browse", "Feeding-time-", "Feeding-time-"])
        #expect(names(try scenario.weighted("Feeding-time-=1")) == ["Feeding-time-"])
        #expect(!scenario.isReadOnly && LoadScenario.browse.isReadOnly)
    }

    @Test("A scenario without actions is rejected")
    func empty() {
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(
                scenario: LoadScenario("rest", [.browse: 0]), connections: 1, duration: .seconds(1), model: "animals")
        }
    }
}
