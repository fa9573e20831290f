import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import AviaryServer

@Suite("Services")
struct ServiceNameTests {
    @Test("A service is named by its type, and not by everything that it holds, which takes long to print")
    func name() {
        let printed = Printed()
        _ = ServiceGroupConfiguration.ending(logger: Logger(label: "test"), services: [Talkative(printed: printed)])
        #expect(printed.count.load(ordering: .relaxed) == 0)
    }
}

private final class Printed: Sendable {
    let count = Atomic(0)
}

private struct Talkative: Service, CustomStringConvertible {
    let printed: Printed

    var description: String {
        printed.count.add(1, ordering: .relaxed)
        return "everything"
    }

    func run() async throws {}
}
