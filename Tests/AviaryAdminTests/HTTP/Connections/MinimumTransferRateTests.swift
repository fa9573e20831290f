import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("A transfer goes on for as long as its bytes come at the least rate")
struct MinimumTransferRateTests {
    private let begin = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private let limits = ConnectionLimits.with {
        $0.transfer = .seconds(30)
        $0.leastRate = 1000
    }

    @Test("Without a byte it ends when its credit is used up")
    func credit() {
        #expect(MinimumTransferRate(limits, from: begin).deadline == begin + .seconds(30))
    }

    @Test("At the least rate it goes on for hours, below it it ends", arguments: [(1000, true), (999, false)])
    func steady(rate: Int, goesOn: Bool) {
        var credit = MinimumTransferRate(limits, from: begin)
        var now = begin
        // In ten hours, the shortfall of the rate adds up to more than the credit.
        for _ in 0..<3600 where credit.deadline > now {
            now = now + .seconds(10)
            credit.credit(rate * 10, at: now)
        }
        #expect((credit.deadline > now) == goesOn)
    }

    @Test("What came quickly does not pay for a stop")
    func stop() {
        var credit = MinimumTransferRate(limits, from: begin)
        credit.credit(1 << 40, at: begin + .seconds(1))
        #expect(credit.deadline == begin + .seconds(31))
        credit.credit(.max, at: begin + .seconds(2))
        #expect(credit.deadline == begin + .seconds(32))
    }

    @Test("Time in which nobody waited for bytes costs nothing")
    func pause() {
        var credit = MinimumTransferRate(limits, from: begin)
        credit.pause(.hours(1))
        #expect(credit.deadline == begin + .hours(1) + .seconds(30))
    }
}
