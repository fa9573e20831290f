import NIOCore
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Minimum transfer rate")
struct MinimumTransferRateTests {
    private let begin = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private let limits = ConnectionLimits.with {
        $0.transfer = .seconds(30)
        $0.leastRate = 1000
    }

    @Test("A transfer without a byte ends when its credit is used up")
    func credit() {
        #expect(MinimumTransferRate(limits, from: begin).deadline == begin + .seconds(30))
    }

    @Test(
        "A transfer at the minimum rate continues for hours, and a slower one ends",
        arguments: [(1000, true), (999, false)])
    func steady(rate: Int, continues: Bool) {
        var credit = MinimumTransferRate(limits, from: begin)
        var now = begin
        // In ten hours, the shortfall of the rate adds up to more than the credit.
        for _ in 0..<3600 where credit.deadline > now {
            now = now + .seconds(10)
            credit.credit(rate * 10, at: now)
        }
        #expect((credit.deadline > now) == continues)
    }

    @Test("Bytes that arrived quickly do not extend a later pause")
    func stop() {
        var credit = MinimumTransferRate(limits, from: begin)
        credit.credit(1 << 40, at: begin + .seconds(1))
        #expect(credit.deadline == begin + .seconds(31))
        credit.credit(.max, at: begin + .seconds(2))
        #expect(credit.deadline == begin + .seconds(32))
    }

    @Test("Time in which the server does not wait for bytes does not count")
    func pause() {
        var credit = MinimumTransferRate(limits, from: begin)
        credit.pause(.hours(1))
        #expect(credit.deadline == begin + .hours(1) + .seconds(30))
    }
}
