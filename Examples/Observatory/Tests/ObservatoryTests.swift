import Aviary
import AviaryTesting
import Foundation
import Testing

@testable import observatory

@Suite("The admin of the observatory")
struct ObservatoryTests {
    @Test("A student enters an observation with two observers and its weather, and cannot publish it")
    func observes() async throws {
        try await TestApplication.serve(Observatory.self, withSampleData: true) { application in
            let store = application.store()
            let telescope = try #require(try await store.repository(for: Telescope.self).fetchAll().first)
            let target = try #require(try await store.repository(for: Target.self).fetchAll().first)
            let observers = try await store.repository(for: Observer.self).fetchAll()

            let student = try await application.signedIn(as: "sam", role: Observatory.student)
            var sheet = try await student.get("/admin/observations/new").sheet()
            sheet["telescope"] = "\(telescope.id)"
            sheet["target"] = "\(target.id)"
            sheet["night"] = "2026-05-03"
            sheet["hour"] = "22"
            sheet["observers"] = nil
            for observer in observers { sheet.add("observers", "\(observer.id)") }
            sheet["weather.sky"] = "clear"
            sheet["weather.seeing"] = "1.2"
            sheet["report"] = "Spiral arms."
            sheet["isPublished"] = "true"
            #expect(try await student.submit(sheet).status == 303)

            var descriptor = FetchDescriptor<Observation>(predicate: #Predicate { $0.hour == 22 })
            descriptor.relationshipKeyPathsForPrefetching = [\.observers]
            let found = try await store.repository(for: Observation.self).fetchResults(descriptor)
            let entered = try #require(found.first { $0.report == "Spiral arms." })
            #expect(entered.weather?.sky == .clear && entered.weather?.seeing == 1.2)
            #expect(!entered.isPublished)
            #expect(try found[\.observers, of: entered].count == 2)
        }
    }

    @Test("A target that is added by another spelling of its number is rejected")
    func spelling() async throws {
        try await TestApplication.serve(Observatory.self) { application in
            let editor = try await application.signedIn(as: "ada", role: .editor)
            for (name, status) in [("m31", 303), ("M  31", 422), ("Vega", 303)] {
                var sheet = try await editor.get("/admin/targets/new").sheet()
                sheet["name"] = name
                #expect(try await editor.submit(sheet).status == status, "\(name)")
            }
            #expect(try await editor.get("/admin/targets").rows.map(\.title) == ["M 31", "Vega"])
        }
    }

    @Test("Publishing needs a report")
    func publishes() async throws {
        try await TestApplication.serve(Observatory.self, withSampleData: true) { application in
            let observations = try await application.store().repository(for: Observation.self)
            let silent = try #require(try await observations.fetchAll().first { !$0.isPublished })
            let editor = try await application.signedIn(as: "ada", role: .editor)
            let form = TestForm(["csrf": try await editor.csrfToken(), "do": "publish", "id": "\(silent.id)"])
            _ = try await editor.post("/admin/observations/batch", form)
            #expect(try await observations.find(silent.id)?.isPublished == false)

            try await observations.update(silent.id) { $0.report = "Too hazy." }
            #expect(try await editor.post("/admin/observations/batch", form).status == 303)
            #expect(try await observations.find(silent.id)?.isPublished == true)
        }
    }

    @Test("The page of a night has its observations, and the reports only for whoever may read them")
    func night() async throws {
        try await TestApplication.serve(Observatory.self, withSampleData: true) { application in
            let editor = try await application.signedIn(as: "ada", role: .editor)
            let page = try await editor.get("/night")
            #expect(page.status == 200 && page.body.contains("M 31"))
            #expect(page.body.contains("The dust lanes are easy tonight."))
            #expect(page.body.contains("Caroline Herschel, Charles Messier"))

            let guest = try await application.signedIn(as: "gil", role: Observatory.guest)
            let shown = try await guest.get("/night")
            #expect(shown.status == 200 && shown.body.contains("M 31"))
            #expect(
                !shown.body.contains("The dust lanes are easy tonight.") && !shown.body.contains("Caroline Herschel"))

            #expect(try await editor.get("/night?night=1781-03-13").body.contains("Nobody observed in this night."))
            #expect(try await editor.get("/night?night=tomorrow").status == 422)
        }
    }
}
