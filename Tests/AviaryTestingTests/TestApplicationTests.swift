import Aviary
import AviaryTesting
import Foundation
import Testing

@Suite("Applications served for tests")
struct TestApplicationTests {
    @Test("A record added in the admin appears in the list and in the store")
    func adds() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            var sheet = try await browser.get("/admin/crabs/new").sheet()
            #expect(sheet["isShy"] == "true" && sheet["notes"] == "")
            sheet["name"] = "Fiddler & sons"
            sheet["isShy"] = "false"
            let saved = try await browser.submit(sheet)
            #expect(saved.status == 303 && saved.location?.hasPrefix("/admin/crabs") == true)

            let row = try #require(try await browser.get("/admin/crabs").rows.first)
            #expect(row.title == "Fiddler & sons")
            #expect(try await browser.get(row.path).sheet()["name"] == "Fiddler & sons")
            let crabs = try await application.store().repository(for: Crab.self)
            #expect(try await crabs.fetchAll().map(\.isShy) == [false])
        }
    }

    @Test("The admin rejects a browser without an account and an account without permission")
    func refuses() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let stranger = try await application.browser().get("/admin/crabs")
            #expect(stranger.status == 303 && stranger.location?.hasPrefix("/login") == true)
            let viewer = try await application.signedIn(as: "vera", role: .viewer)
            #expect(try await viewer.get("/admin/crabs/new").status == 403)
            let diver = try await application.signedIn(as: "dora", role: Aquarium.diver)
            #expect(try await diver.get("/admin/crabs/new").status == 403)
            #expect(try await diver.get("/admin/crabs").status == 200)
        }
    }

    @Test("A save hook rejects invalid values from a form and from the store API")
    func hooks() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            var sheet = try await browser.get("/admin/crabs/new").sheet()
            sheet["name"] = "Whale"
            let refused = try await browser.submit(sheet)
            #expect(refused.status == 422 && refused.body.contains("A whale is not a crab."))
            #expect(try refused.sheet()["name"] == "Whale")
            let crabs = try await application.store().repository(for: Crab.self)
            await #expect(throws: StoreError.self) { try await crabs.insert(Crab(name: "Whale")) }
            #expect(try await crabs.fetchCount() == 0)
        }
    }

    @Test("Sample data is added only on request, and routes of the application respond")
    func sampleData() async throws {
        for isWanted in [false, true] {
            try await TestApplication.serve(Aquarium.self, withSampleData: isWanted) { application in
                let count: [String: Int] = try await application.browser().get("/count").json()
                #expect(count == ["crabs": isWanted ? 1 : 0])
            }
        }
    }

    @Test("A custom form needs the CSRF token of the session")
    func ownForms() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let diver = try await application.signedIn(as: "dora", role: Aquarium.diver)
            var form = TestForm(["name": "Zoë & co"])
            #expect(try await diver.post("/rename", form).status == 403)
            form["csrf"] = try await diver.csrfToken()
            #expect(try await diver.post("/rename", form).body == "Zoë & co")
        }
    }

    /// Sends a change again while the store does not answer, as a program does. On a machine that is busy with other
    /// tests the store may not begin the change within the five seconds that a client waits.
    private func repeated(_ change: (UUID) async throws -> Receipt) async throws {
        let id = UUID()
        for _ in 0..<20 {
            do {
                _ = try await change(id)
                return
            } catch let error as StoreError where error.code == .unavailable || error.code == .unanswered {
                continue
            }
        }
        _ = try await change(id)
    }

    @Test("Another program can connect to the data directory while the application is served")
    func otherPrograms() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let store = try await AviaryStore.connect(data: application.data, as: "feeder")
            let coconut = Crab(name: "Coconut"), horseshoe = Crab(name: "Horseshoe")
            try await repeated { try await store.repository(for: Crab.self).insert(coconut, changeSet: $0) }
            await store.close()
            try await Aquarium.withStore(data: application.data, as: "diver") { store in
                try await repeated { try await store.repository(for: Crab.self).insert(horseshoe, changeSet: $0) }
            }
            let browser = try await application.signedIn(as: "ada")
            #expect(Set(try await browser.get("/admin/crabs").rows.map(\.title)) == ["Coconut", "Horseshoe"])
        }
    }

    @Test("Two applications can be served at the same time, and their data is removed afterwards")
    func parallel() async throws {
        let left = try await TestApplication.serve(Aquarium.self) { first in
            try await TestApplication.serve(Aquarium.self) { second in
                #expect(first.address != second.address && first.data != second.data)
                let crabs = try await first.store().repository(for: Crab.self)
                try await crabs.insert(Crab(name: "Hermit"))
                let browser = try await second.signedIn(as: "ada")
                #expect(try await browser.get("/admin/crabs").rows.isEmpty)
                return [first.data, second.data]
            }
        }
        #expect(left.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    }

    @Test("An error of the test closure is thrown after the server has ended")
    func failures() async throws {
        struct Failure: Error {}
        var data = ""
        await #expect(throws: Failure.self) {
            try await TestApplication.serve(Aquarium.self) { application in
                data = application.data
                throw Failure()
            }
        }
        #expect(data.isEmpty == false && !FileManager.default.fileExists(atPath: data))
    }

    @Test("An invalid account or a missing form throws an error with a code")
    func errors() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            func code(_ body: () async throws -> Void) async -> TestApplicationError.Code? {
                do {
                    try await body()
                    return nil
                } catch {
                    return (error as? TestApplicationError)?.code
                }
            }
            #expect(await code { _ = try await application.signedIn(as: "a b") } == .invalidAccountName)
            #expect(await code { _ = try await application.signedIn(as: "a", role: Role("cook")) } == .unknownRole)
            _ = try await application.signedIn(as: "ada", role: .editor)
            _ = try await application.signedIn(as: "ada", role: .editor)
            #expect(await code { _ = try await application.signedIn(as: "ada") } == .accountHasOtherRole)
            let login = try await application.browser().get("/login")
            #expect(await code { _ = try login.sheet() } == .noForm)
            #expect(try login.form(action: "/login")["csrf"] != nil)
            #expect(await code { _ = try await application.browser().csrfToken() } == .noForm)
            #expect(await code { _ = try await TestBrowser(address: "http://127.0.0.1:1").get("/") } == .noAnswer)
        }
    }

    @Test("A browser keeps its session until it signs out")
    func signsOut() async throws {
        try await TestApplication.serve(Aquarium.self) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            let page = try await browser.get("/admin")
            #expect(page.status == 200 && !browser.cookies.isEmpty)
            let out = try await browser.submit(page.form(action: "/logout"))
            #expect(out.status == 303)
            #expect(try await browser.get("/admin").location?.hasPrefix("/login") == true)
        }
    }
}
