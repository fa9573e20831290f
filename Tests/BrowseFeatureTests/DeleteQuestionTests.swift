import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import Testing

@Suite("A question says what a delete would take along")
struct DeleteQuestionTests {
    @Test("One record of its own is named")
    func single() throws {
        let question = try question(DeletePlan(requested: 1, cascades: [:], nullifies: [:]), title: "Birds")
        #expect(question.title == "Delete 1 animal category?")
        #expect(question.lines == ["“Birds” will be deleted."])
        #expect(question.confirm == "Delete")
        #expect(question.allow == 0)
    }

    @Test("One that has no name is told by what it is")
    func nameless() throws {
        let question = try question(DeletePlan(requested: 1, cascades: [:], nullifies: ["Animal": 3]), title: nil)
        #expect(question.lines == ["This animal category will be deleted.", "3 animals will no longer refer to this animal category."])
    }

    @Test("Several are counted")
    func several() throws {
        let question = try question(DeletePlan(requested: 1200, cascades: [:], nullifies: [:]), title: nil)
        #expect(question.title == "Delete 1,200 animal categories?")
        #expect(question.lines == ["They will be deleted."])
    }

    @Test("Each kind that goes along is counted, in words that fit its number")
    func cascades() throws {
        let one = try question(DeletePlan(requested: 1, cascades: ["Animal": 1], nullifies: [:]), title: "Birds")
        #expect(one.lines == ["1 animal goes with “Birds”."])
        let many = try question(
            DeletePlan(requested: 2, cascades: ["Animal": 1500, "AnimalCategory": 2], nullifies: [:]), title: nil
        )
        #expect(many.lines == ["1,500 animals and 2 animal categories go with them."])
        #expect(many.confirm == "Delete all 1,504")
    }

    @Test("What only loses a reference is told apart from what goes, and is not counted into the answer")
    func nullifies() throws {
        let question = try question(DeletePlan(requested: 1, cascades: [:], nullifies: ["Animal": 3]), title: "Birds")
        #expect(question.lines == ["“Birds” will be deleted.", "3 animals will no longer refer to “Birds”."])
        #expect(question.allow == 0)
    }

    @Test("What stands against it is told instead of a question, with what to do, and there is nothing to confirm")
    func obstacles() throws {
        let plan = DeletePlan(requested: 1, cascades: ["Animal": 2], nullifies: [:], obstacles: [
            .referrers(model: "Animal", count: 3), .relatedCount(model: "Animal", property: "category", count: 1, allowed: ModelCount(minimum: 1)),
        ])
        let question = try question(plan, title: "Birds")
        #expect(question.title == "“Birds” cannot be deleted yet")
        #expect(question.lines == [
            "3 animals still refer to “Birds”. Delete or change them first.",
            "1 animal would not have the category that it needs: at least 1. Change it first.",
        ])
        #expect(question.confirm == nil)
        let several = try self.question(
            DeletePlan(requested: 2, cascades: [:], nullifies: [:], obstacles: [.referrers(model: "Animal", count: 1)]), title: nil)
        #expect(several.title == "These animal categories cannot be deleted yet")
        #expect(several.lines == ["1 animal still refers to these animal categories. Delete or change it first."])
    }

    @Test("What stands against it leads to its records, for whoever may see them")
    func links() throws {
        let rex = RecordChoice(id: .version7(), title: "Rex")
        let plan = DeletePlan(requested: 1, cascades: [:], nullifies: [:], obstacles: [.referrers(model: "Animal", count: 2)])
        func question(_ principal: Principal) throws -> DeleteQuestion {
            DeleteQuestion(plan: plan, title: "Birds", titles: ["Animal": [rex]], model: categorySchema, schema: try zooSchema(), principal: principal)
        }
        let told = try question(.ada)
        #expect(told.lines == ["2 animals (“Rex” and 1 more) still refer to “Birds”. Delete or change them first."])
        #expect(told.links == [LinkedText.Link("“Rex”", href: "/admin/animals/\(rex.id.canonicalText)")])
        let hidden = try question(.with(.allow([.view, .delete], onModelNamed: "AnimalCategory")))
        #expect(hidden.links.isEmpty && !hidden.lines.joined().contains("Rex"))
    }

    @Test("The confirmation page of records that are all gone has nothing to ask")
    func nothingLeft() async throws {
        let records = RecordsInMemory(categorySchema)
        await records.set(plan: DeletePlan(requested: 0, cascades: [:], nullifies: [:]))
        let list = try ListViewModel(
            configuration: categories, query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)),
            repository: records, principal: .ada
        )
        #expect(try await list.question([.version7()], schema: zooSchema()) == nil)
    }

    @Test("What goes along must be permitted, too: else it is said, and there is nothing to confirm")
    func forbiddenCascade() throws {
        let plan = DeletePlan(requested: 1, cascades: ["Animal": 2], nullifies: [:])
        let keeper = Principal.with(.allow([.delete], onModelNamed: "AnimalCategory"), .allow([.view], onModelNamed: "Animal"))
        let question = try question(plan, title: "Birds", principal: keeper)
        #expect(question.title == "“Birds” cannot be deleted by you")
        #expect(question.lines == ["2 animals would go along, which your role may not delete."])
        #expect(question.confirm == nil && question.allow == 0)
    }

    @Test("What may not be seen is counted without its name")
    func hidden() throws {
        let keeper = Principal.with(.allow([.delete], onModelNamed: "AnimalCategory"))
        let lines = try question(DeletePlan(requested: 1, cascades: [:], nullifies: ["Animal": 2]), title: "Birds", principal: keeper).lines
        #expect(lines.contains("2 other records will no longer refer to “Birds”."))
        let denied = try question(DeletePlan(requested: 1, cascades: ["Animal": 1], nullifies: [:]), title: "Birds", principal: keeper)
        #expect(denied.lines == ["1 other record would go along, which your role may not delete."])
    }

    private func question(_ plan: DeletePlan, title: String?, principal: Principal = .ada) throws -> DeleteQuestion {
        DeleteQuestion(plan: plan, title: title, model: categorySchema, schema: try zooSchema(), principal: principal)
    }
}
