import Aviary
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

extension ServedApplications {
    @Suite("Programs that use the store")
    struct OwnAppTests {
        @Test("A program adds a record beside an open sheet of the admin, and both are stored")
        func besideTheAdmin() async throws {
            try await Server.use { server in
                let browser = Browser(server)
                try await browser.addAnimal("Alpaca")
                let sheet = try await browser.newAnimal("Moose")
                let run = try await Program.feeder.run([server.directory.data, "Okapi"], in: server.directory)
                #expect(run.exitCode == 0 && run.errors == "")
                #expect(run.output == "Alpaca\nOkapi\n")
                let list = try await browser.get("/admin/animals")
                #expect(list.rows(named: "Okapi") == 1 && list.rows(named: "Moose") == 0)
                #expect(list.body.contains("Even-toed"))
                #expect(try await browser.post("/admin/animals", sheet).status == 303)
                let saved = try await browser.get("/admin/animals")
                #expect(saved.rows(named: "Okapi") == 1 && saved.rows(named: "Moose") == 1)
                // The category exists already: the example finds it by its unique name.
                #expect(
                    try await Program.feeder.run([server.directory.data, "Giraffe"], in: server.directory).output
                        == "Alpaca\nGiraffe\nMoose\nOkapi\n")
            }
        }

        @Test("A record that a program saved survives the kill of all processes")
        func durable() async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory)
                #expect(try await Program.feeder.run([directory.data, "Okapi"], in: directory).exitCode == 0)
                for process in server.processes { kill(process.pid, SIGKILL) }
                _ = await server.program.exitCode
                let again = try await Server.start(in: directory)
                #expect(try await Browser(again).rows(named: "Okapi") == 1)
                #expect(try StoreFile(directory).integrity() == ["ok"])
                await again.stop()
            }
        }

        @Test("A program without a server exits with 1 and advice")
        func nothing() async throws {
            try await TestDirectory.use { directory in
                let run = try await Program.feeder.run([directory.data], in: directory)
                #expect(run.exitCode == 1 && run.output == "")
                #expect(run.errors.contains("serve --data \(directory.data)"))
                #expect(!FileManager.default.fileExists(atPath: directory.data))
            }
        }

        @Test("Repeated kills of the store while a program writes store each change exactly once")
        func exactlyOnce() async throws {
            try await Server.use { server in
                let store = try await AviaryStore.connect(data: server.directory.data, as: "test")
                let animals = try await store.repository(for: Animal.self)
                let counted = Animal(name: "Counted 0")
                try await animals.insert(counted)
                let stored = Mutex(0), isOver = Flag()
                let killer = Task {
                    defer { isOver.raise() }
                    for round in 1...3 {
                        let family = try await server.complete(restarts: round - 1)
                        let before = stored.withLock { $0 }
                        try await eventually("this store has taken changes") { stored.withLock { $0 } >= before + 5 }
                        family.store?.send(SIGKILL)
                    }
                }
                var number = 0
                // A few more writes follow after the last store was killed: they wait for the next one.
                var left = 5
                while left > 0 {
                    if isOver.isRaised { left -= 1 }
                    number += 1
                    let ids = (UUID(), UUID())
                    try await repeated { try await animals.insert(Animal(name: "Animal \(number)"), changeSet: ids.0) }
                    stored.withLock { $0 = number }
                    try await repeated {
                        try await animals.update(counted.id, changeSet: ids.1) { animal in
                            animal.name = "Counted \((Int(animal.name.dropFirst("Counted ".count)) ?? 0) + 1)"
                        }
                    }
                }
                try await killer.value
                _ = try await server.complete(restarts: 3)
                #expect(try await animals.find(counted.id)?.name == "Counted \(number)")
                let names = try await animals.fetchAll().map(\.name).filter { $0.hasPrefix("Animal ") }
                #expect(names.count == number && Set(names).count == number)
                await store.close()
            }
        }

        @Test("Without a server, a program can read, and its writes fail until a server runs again")
        func withoutServer() async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory)
                try await Browser(server).addAnimal("Kept")
                let store = AviaryStore(
                    author: "test", connection: try StoreConnection(data: directory.data, patience: .milliseconds(300)))
                let animals = try await store.repository(for: Animal.self)
                #expect(await server.stop() == 0)
                #expect(try await animals.fetchAll().map(\.name) == ["Kept"])
                await #expect {
                    try await animals.insert(Animal(name: "Nowhere"))
                } throws: { error in
                    (error as? StoreError)?.code == .unavailable
                }
                let again = try await Server.start(in: directory)
                let change = UUID()
                try await repeated { try await animals.insert(Animal(name: "Again"), changeSet: change) }
                #expect(Set(try await animals.fetchAll().map(\.name)) == ["Kept", "Again"])
                await again.stop()
            }
        }

        @Test("A model that does not match the file is rejected with the properties that differ")
        func mismatch() async throws {
            try await Server.use { server in
                let store = try await AviaryStore.connect(data: server.directory.data)
                let error = await #expect(throws: ModelMismatch.self) {
                    try await store.repository(for: Newer.Animal.self)
                }
                #expect(error?.properties == ["name", "diet", "weight"])
                #expect(error?.description.contains("Animal.weight is not in the store's file") == true)
                #expect(error?.description.contains("carnivorous") == true)
                let unknown = await #expect(throws: ModelMismatch.self) {
                    try await store.repository(for: Newer.Plant.self)
                }
                #expect(unknown?.model == "Plant")
            }
        }

        @Test("A program whose model has fewer properties leaves the others unchanged")
        func older() async throws {
            try await Server.use { server in
                let id = try await Browser(server).addAnimal("Okapi")
                let store = try await AviaryStore.connect(data: server.directory.data)
                let animals = try await store.repository(for: Older.Animal.self)
                var okapi = try #require(try await animals.fetchAll().first)
                #expect(okapi.name == "Okapi" && okapi.id.description == id)
                okapi.name = "Okapi of the zoo"
                try await animals.save(okapi)
                try await animals.insert(Older.Animal(name: "Kea"))
                let all = try await store.repository(for: Animal.self).fetch(
                    FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
                #expect(all.map(\.name) == ["Kea", "Okapi of the zoo"])
                #expect(all.map(\.diet) == [.herbivorous, .herbivorous])
            }
        }

        @Test("A connection leaves the data directory unchanged")
        func traceless() async throws {
            try await Server.use { server in
                // The server has written its own files by then.
                _ = try await server.complete()
                let before = try FileManager.default.contentsOfDirectory(atPath: server.directory.data).sorted()
                let store = try await AviaryStore.connect(data: server.directory.data)
                _ = try await store.repository(for: Animal.self).fetchAll()
                await store.close()
                #expect(try FileManager.default.contentsOfDirectory(atPath: server.directory.data).sorted() == before)
                await #expect(throws: (any Error).self) { try await store.repository(for: Animal.self) }
            }
        }

        @Test("An invalid data directory is rejected with the reason")
        func refused() async throws {
            try await TestDirectory.use { directory in
                func refusal(_ path: String) async throws -> DataDirectoryError {
                    try await #require(throws: DataDirectoryError.self) {
                        _ = try await AviaryStore.connect(data: path)
                    }
                }
                #expect(try await refusal(directory.data).advice.contains("serve --data"))
                try FileManager.default.createDirectory(atPath: directory.data, withIntermediateDirectories: false)
                #expect(try await refusal(directory.data).reason == "has no store yet.")
                try Data().write(to: URL(filePath: directory.path("file")))
                #expect(try await refusal(directory.path("file")).reason == "is not a directory.")
                // Root gives the directory to another user. Other users test with the root directory, which they
                // do not own.
                let other = geteuid() == 0 ? directory.data : "/"
                if geteuid() == 0 { #expect(chown(other, 65_534, 65_534) == 0) }
                #expect(try await refusal(other).reason == "belongs to another user.")
            }
        }
    }
}

/// Repeats a write with the same id until it is acknowledged.
private func repeated(_ write: () async throws -> Receipt) async throws {
    while true {
        do {
            _ = try await write()
            return
        } catch let error as StoreError where [.unanswered, .unavailable].contains(error.code) {
            continue
        }
    }
}

@Model
private struct Animal {
    enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

    var name: String
    var diet: Diet = .herbivorous
}

private enum Older {
    @Model
    struct Animal {
        var name: String
    }
}

private enum Newer {
    @Model
    struct Animal {
        enum Diet: String, Choice { case herbivorous, omnivorous }

        var name: Int
        var diet: Diet = .herbivorous
        var weight: Double = 1
    }

    @Model
    struct Plant {
        var name: String
    }
}
