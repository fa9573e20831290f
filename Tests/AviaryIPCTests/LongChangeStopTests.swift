import AviaryDomain
import Foundation
import Testing

@testable import AviaryIPC

@Suite("Requests to stop a large delete or undo")
struct LongChangeStopTests {
    @Test("A worker and a command can stop a change", arguments: [ClientIdentity.Kind.worker, .command])
    func stopped(kind: ClientIdentity.Kind) async throws {
        let store = FakeStore(), id = UUID.version7()
        try await TestSocket.use { socket in
            try await socket.serving(store) { _ in
                let client = socket.client(as: kind)
                _ = try await client.stopLongChange(id)
                #expect(store.stopped == [id])
                client.close()
            }
        }
    }

    @Test("The application’s own program cannot stop the change of somebody else")
    func refused() async throws {
        let store = FakeStore()
        try await TestSocket.use { socket in
            try await socket.serving(store) { _ in
                let client = socket.client(as: .app)
                await #expect(throws: StoreError.self) { _ = try await client.stopLongChange(.version7()) }
                #expect(store.stopped.isEmpty)
                client.close()
            }
        }
    }

    @Test("The status of a store of an earlier version has no progress, and that of this version keeps it")
    func progress() throws {
        let progress = LongChangeStatus(
            changeSet: .version7(), author: "ada", began: Date(timeIntervalSince1970: 7), undoes: 4, step: .checking,
            done: 3, total: 9, records: ["Animal": 9], waiting: 1)
        let status = StoreStatus(pid: 1, commits: 2, batches: 3, waiting: 4, lastCommit: 5, longChange: progress)
        let json = try JSONEncoder().encode(status)
        #expect(try JSONDecoder().decode(StoreStatus.self, from: json) == status)
        var object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        object["longChange"] = nil
        let older = try JSONSerialization.data(withJSONObject: object)
        #expect(try JSONDecoder().decode(StoreStatus.self, from: older).longChange == nil)
    }
}
