import AviaryDomain
import Foundation
import Testing

@testable import AviaryIPC

@Suite("Requests for a file check")
struct FileCheckTests {
    @Test(
        "Every kind of client can request a file check and keeps its connection",
        arguments: [ClientIdentity.Kind.worker, .app, .command])
    func asked(kind: ClientIdentity.Kind) async throws {
        let store = FakeStore()
        try await TestSocket.use { socket in
            try await socket.serving(store) { _ in
                let client = socket.client(as: kind)
                try await client.checkFile()
                #expect(store.fileChecks == 1)
                _ = try await client.status()
                #expect(store.fileChecks == 1)
                client.close()
            }
        }
    }
}
