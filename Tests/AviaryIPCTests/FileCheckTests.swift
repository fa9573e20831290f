import AviaryDomain
import Foundation
import Testing

@testable import AviaryIPC

@Suite("A check of the store's file that another process asks for")
struct FileCheckTests {
    @Test(
        "Every kind of process may ask, once for each check, and goes on with its connection",
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
