import Foundation
import Testing

@testable import AviaryRuntime

@Suite("Process status")
struct ProcessStatusTests {
    @Test("A status is decoded as it was encoded")
    func roundTrip() throws {
        let worker = ProcessStatus.Process(pid: 3, restarts: 1, replacements: 2, isReady: true, number: 1)
        let status = ProcessStatus(
            supervisor: getpid(), state: .deploying, store: .init(pid: 2, restarts: 0, isReady: false),
            workers: [worker],
            coming: [worker], leaving: [worker]
        )
        #expect(try JSONDecoder().decode(ProcessStatus.self, from: JSONEncoder().encode(status)) == status)
    }

    @Test("A status of an earlier version can be decoded")
    func earlier() throws {
        let text = #"{"supervisor":1,"store":{"pid":2,"restarts":3,"isReady":true},"workers":[]}"#
        let status = try JSONDecoder().decode(ProcessStatus.self, from: Data(text.utf8))
        #expect(status.store == .init(pid: 2, restarts: 3, isReady: true))
        #expect(status.state == .serving && status.coming.isEmpty && status.leaving.isEmpty)
    }

    @Test("A status is current only while its supervisor lives")
    func current() throws {
        #expect(ProcessStatus(supervisor: getpid(), store: nil, workers: []).isCurrent)
        #expect(!ProcessStatus(supervisor: 0, store: nil, workers: []).isCurrent)
        let text = #"{"supervisor":\#(getpid()),"supervisorStart":1,"workers":[]}"#
        #expect(try !JSONDecoder().decode(ProcessStatus.self, from: Data(text.utf8)).isCurrent)
    }
}
