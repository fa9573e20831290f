import Foundation
import Testing

@testable import AviaryRuntime

@Suite("Adopted listening sockets")
struct ListeningSocketTests {
    @Test(
        "An adopted socket keeps its address and port and is closed on exec",
        arguments: ["127.0.0.1", "127.0.0.2", "::1"])
    func adopted(host: String) throws {
        let opened = try ListeningSocket(host: host, port: 0)
        defer { close(opened.descriptor) }
        _ = fcntl(opened.descriptor, F_SETFD, 0)
        let adopted = try ListeningSocket(adopting: opened.descriptor)
        #expect(adopted.host == host && adopted.port == opened.port && adopted.descriptor == opened.descriptor)
        #expect(fcntl(opened.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("An adopted socket that listens on all addresses is not a loopback socket")
    func wildcard() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        // An unbound socket listens on a free port of all addresses.
        try #require(listen(descriptor, 1) == 0)
        let adopted = try ListeningSocket(adopting: descriptor)
        #expect(ListeningSocket.isLoopback(adopted.host) == false)
    }

    @Test(
        "Loopback hosts are distinguished from other addresses and from host names",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("localhost", true), ("0.0.0.0", false),
            ("::", false),
            ("192.0.2.1", false), ("::ffff:127.0.0.1", false), ("example.org", nil), ("", nil),
        ])
    func loopback(host: String, isLoopback: Bool?) {
        #expect(ListeningSocket.isLoopback(host) == isLoopback)
    }

    @Test("A descriptor that is not a listening TCP socket is rejected")
    func others() throws {
        let datagram = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let file = open("/dev/null", O_RDONLY)
        defer { [datagram, silent, file].forEach { close($0) } }
        for descriptor in [datagram, silent, file, 9999] {
            #expect(throws: ListeningSocketError.passedNoListener(descriptor: descriptor)) {
                try ListeningSocket(adopting: descriptor)
            }
        }
    }
}
