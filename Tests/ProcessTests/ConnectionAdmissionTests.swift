import Foundation
import TestSupport
import Testing

extension ServerProcesses {
    @Suite("Admission of requests that wait for the store")
    struct ConnectionAdmissionTests {
        /// The number of saves. It is more than a worker lets wait.
        private static let saves = 450

        @Test("While the store is stopped, saves answer 503, pages are served and nothing is stored")
        func stopped() async throws {
            try await TestDirectory.use { directory in
                let server = try await Server.start(in: directory, workers: 1)
                let browser = Browser(server)
                let form = try await browser.newAnimal("Never saved")
                let cookies = browser.cookies
                let store = try await server.store()
                store.send(SIGSTOP)
                try await eventually("the store was stopped") { ProcessTable.entry(store.pid)?.isStopped == true }

                let saves = await onThread {
                    (0..<Self.saves).compactMap { _ in Save(form, cookies: cookies, port: server.port) }
                }
                #expect(saves.count == Self.saves)
                let pages = await onThread { (0..<20).map { _ in KeptConnection(port: server.port)?.get("/login") } }
                for page in pages {
                    guard case .answered(200, _) = page else {
                        Issue.record("A page was not served: \(String(describing: page))")
                        continue
                    }
                }
                let answers = await onThread { saves.map { $0.answer() } }
                #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 503 ") })
                let busy = answers.count { $0.contains("The server is busy") }
                #expect(busy < Self.saves)
                // A slow machine reads fewer saves at a time than a worker admits. `WriteAdmissionTests` fill a worker
                // on any machine.
                if Explore.isOn { #expect(busy > 0) }
                #expect(answers.allSatisfy { $0.contains("Retry-After: ") })

                store.send(SIGCONT)
                try await browser.addAnimal("Afterwards")
                #expect(try StoreFile(server.directory).animals().values.sorted() == ["Afterwards"])
            }
        }
    }
}

/// A form that was sent on a connection of its own, and whose answer is read later.
private final class Save: Sendable {
    private let descriptor: Int32

    init?(_ form: Form, cookies: String, port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: Int(Patience.bound.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let body = form.encoded
        let request = Array(
            """
            POST /admin/animals HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Cookie: \(cookies)\r
            Connection: close\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """.utf8)
        guard isConnected, send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return nil
        }
    }

    deinit {
        close(descriptor)
    }

    /// Reads everything until the server closes the connection.
    func answer() -> String {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { answer += buffer.prefix(count) }
        return String(decoding: answer, as: UTF8.self)
    }
}
