import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import Testing

@Suite("Delete confirmations")
struct DeleteQuestionTests {
    @Test("A single record is named")
    func single() throws {
        let question = try question(DeletePlan(requested: 1, cascades: [:], nullifies: [:]), title: "Birds")
        #expect(question.title == "Delete 1 animal category?")
        #expect(question.lines == ["“Birds” will be deleted."])
        #expect(question.confirm == "Delete")
        #expect(question.allow == 0)
    }

    @Test("A record without a name is described by its type")
    func nameless() throws {
        let question = try question(DeletePlan(requested: 1, cascades: [:], nullifies: ["Animal": 3]), title: nil)
        #expect(
            question.lines == [
                "This animal category will be deleted.", "3 animals will no longer refer to this animal category.",
            ])
    }

    @Test("Several records are counted")
    func several() throws {
        let question = try question(DeletePlan(requested: 1200, cascades: [:], nullifies: [:]), title: nil)
        #expect(question.title == "Delete 1,200 animal categories?")
        #expect(question.lines == ["They will be deleted."])
    }

    @Test("Cascaded records are counted for each model")
    func cascades() throws {
        let one = try question(DeletePlan(requested: 1, cascades: ["Animal": 1], nullifies: [:]), title: "Birds")
        #expect(one.lines == ["1 animal that belongs to “Birds” will be deleted too."])
        let many = try question(
            DeletePlan(requested: 2, cascades: ["Animal": 1500, "AnimalCategory": 2], nullifies: [:]), title: nil
        )
        #expect(many.lines == ["1,500 animals and 2 animal categories that belong to them will be deleted too."])
        #expect(many.confirm == "Delete all 1,504")
    }

    @Test("Records that only lose a reference are listed separately and are not counted")
    func nullifies() throws {
        let question = try question(DeletePlan(requested: 1, cascades: [:], nullifies: ["Animal": 3]), title: "Birds")
        #expect(question.lines == ["“Birds” will be deleted.", "3 animals will no longer refer to “Birds”."])
        #expect(question.allow == 0)
    }

    @Test("Obstacles replace the confirmation and say what to do")
    func obstacles() throws {
        let plan = DeletePlan(
            requested: 1, cascades: ["Animal": 2], nullifies: [:],
            obstacles: [
                .referrers(model: "Animal", count: 3),
                .relatedCount(model: "Animal", property: "category", count: 1, allowed: ModelCount(minimum: 1)),
            ])
        let question = try question(plan, title: "Birds")
        #expect(question.title == "“Birds” can’t be deleted yet")
        #expect(
            question.lines == [
                "3 animals still refer to “Birds”. Delete or change them first.",
                "1 animal would not have the required category (at least 1). Change it first.",
            ])
        #expect(question.confirm == nil)
        let several = try self.question(
            DeletePlan(requested: 2, cascades: [:], nullifies: [:], obstacles: [.referrers(model: "Animal", count: 1)]),
            title: nil)
        #expect(several.title == "These animal categories can’t be deleted yet")
        #expect(several.lines == ["1 animal still refers to these animal categories. Delete or change it first."])
    }

    @Test("An obstacle links to its records for roles that can view them")
    func links() throws {
        let rex = RecordChoice(id: .version7(), title: "Rex")
        let plan = DeletePlan(
            requested: 1, cascades: [:], nullifies: [:], obstacles: [.referrers(model: "Animal", count: 2)])
        func question(_ principal: Principal) throws -> DeleteQuestion {
            DeleteQuestion(
                plan: plan, title: "Birds", titles: [.referrers(model: "Animal", count: 2): [rex]],
                model: categorySchema, schema: try zooSchema(), principal: principal)
        }
        let reported = try question(.ada)
        #expect(reported.lines == ["2 animals (“Rex” and 1 more) still refer to “Birds”. Delete or change them first."])
        #expect(reported.links == [LinkedText.Link("“Rex”", href: "/admin/animals/\(rex.id.canonicalText)")])
        let hidden = try question(.with(.allow([.view, .delete], onModelNamed: "AnimalCategory")))
        #expect(hidden.links.isEmpty && !hidden.lines.joined().contains("Rex"))
    }

    @Test("Each obstacle of the same model links to its own records")
    func tooFewLinks() throws {
        let (rex, kea) = (RecordChoice(id: .version7(), title: "Rex"), RecordChoice(id: .version7(), title: "Kea"))
        let tooFew = DeleteObstacle.relatedCount(
            model: "Animal", property: "category", count: 4, allowed: ModelCount(minimum: 1), first: [kea.id])
        let referrers = DeleteObstacle.referrers(model: "Animal", count: 1)
        let question = DeleteQuestion(
            plan: DeletePlan(requested: 1, cascades: [:], nullifies: [:], obstacles: [referrers, tooFew]),
            title: "Birds",
            titles: [referrers: [rex], tooFew: [kea]], model: categorySchema, schema: try zooSchema(), principal: .ada
        )
        #expect(
            question.lines == [
                "1 animal (“Rex”) still refers to “Birds”. Delete or change it first.",
                "4 animals (“Kea” and 3 more) would not have the required category (at least 1). Change them first.",
            ])
        #expect(
            Set(question.links)
                == [rex, kea].reduce(into: []) { links, animal in
                    links.insert(
                        LinkedText.Link("“\(animal.title)”", href: "/admin/animals/\(animal.id.canonicalText)"))
                })
    }

    @Test("A record without a name is named by its first values, never by its id")
    func nameless() async throws {
        let emma = Record(id: .version7(), version: 1, values: [.text("Emma")])
        let loan = Record(
            id: .version7(), version: 1,
            values: [.text(UUID.version7().canonicalText), .text(emma.id.canonicalText), .text("2026-11-01")],
            referenceTitles: ["Kea", "Emma", nil]
        )
        #expect(loan.title(in: Loan.schema) == loan.id.canonicalText)
        let records = RecordsInMemory(Wing.schema, [emma])
        let plan = DeletePlan(
            requested: 1, cascades: [:], nullifies: [:],
            obstacles: [
                .relatedCount(
                    model: "Loan", property: "copies", count: 1, allowed: ModelCount(minimum: 1), first: [loan.id])
            ]
        )
        await records.set(plan: plan)
        func lines(_ principal: Principal) async throws -> [String] {
            let list = try ListViewModel(
                configuration: ModelConfiguration(schema: Wing.schema, columns: ["name"]),
                query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)), repository: records,
                principal: principal,
                others: { $0 == "Loan" ? RecordsInMemory(Loan.schema, [loan]) : nil }
            )
            let question = try #require(
                try await list.question([emma.id], schema: try Schema([Wing.schema, Bird.schema, Loan.schema])))
            return question.lines
        }
        #expect(try await lines(.ada).joined().contains("1 loan (“Kea, Emma, 1 Nov 2026”) would not have"))
        let blind = Principal.with(
            .allow([.view, .delete], onModelNamed: "Wing"), .allow([.view], onModelNamed: "Loan"))
        #expect(try await lines(blind).joined().contains("1 loan (“Emma, 1 Nov 2026”) would not have"))
    }

    @Test("Deleted records leave nothing to confirm")
    func nothingLeft() async throws {
        let records = RecordsInMemory(categorySchema)
        await records.set(plan: DeletePlan(requested: 0, cascades: [:], nullifies: [:]))
        let list = try ListViewModel(
            configuration: categories, query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)),
            repository: records, principal: .ada
        )
        #expect(try await list.question([.version7()], schema: zooSchema()) == nil)
    }

    @Test("A cascade that the role does not allow cannot be confirmed")
    func forbiddenCascade() throws {
        let plan = DeletePlan(requested: 1, cascades: ["Animal": 2], nullifies: [:])
        let keeper = Principal.with(
            .allow([.delete], onModelNamed: "AnimalCategory"), .allow([.view], onModelNamed: "Animal"))
        let question = try question(plan, title: "Birds", principal: keeper)
        #expect(question.title == "“Birds” can’t be deleted with your role")
        #expect(question.lines == ["2 animals would be deleted too, but your role doesn’t allow this."])
        #expect(question.confirm == nil && question.allow == 0)
    }

    @Test("Records that the role cannot view are counted without the name of their model")
    func hidden() throws {
        let keeper = Principal.with(.allow([.delete], onModelNamed: "AnimalCategory"))
        let lines = try question(
            DeletePlan(requested: 1, cascades: [:], nullifies: ["Animal": 2]), title: "Birds", principal: keeper
        ).lines
        #expect(lines.contains("2 other records will no longer refer to “Birds”."))
        let denied = try question(
            DeletePlan(requested: 1, cascades: ["Animal": 1], nullifies: [:]), title: "Birds", principal: keeper)
        #expect(denied.lines == ["1 other record would be deleted too, but your role doesn’t allow this."])
    }

    private func question(_ plan: DeletePlan, title: String?, principal: Principal = .ada) throws -> DeleteQuestion {
        DeleteQuestion(plan: plan, title: title, model: categorySchema, schema: try zooSchema(), principal: principal)
    }
}
