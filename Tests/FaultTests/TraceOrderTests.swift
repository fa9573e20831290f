import TestSupport
import Testing

extension FaultTests {
    @Suite("No acknowledgement precedes the flush that covers it")
    struct TraceOrderTests {
        @Test("In the order of system calls a flush of the log lies between each change set and its acknowledgement")
        func order() throws {
            let directory = try StoreDirectory()
            #expect(try StoreDriver(callers: 32, steps: Sweep.size(20, all: 400)).run(in: directory) == 0)
            let trace = try directory.trace()
            expectSound(trace.prematureAcknowledgements())
            let acknowledged = try directory.ledger().acknowledged
            #expect(acknowledged > 32 * 15)
            // They shared flushes, or the order would be easy. How many share one is a matter of how busy the machine is.
            #expect(trace.count(.flushed, .log) < (Explore.isOn ? acknowledged / 2 : acknowledged))
        }

        @Test("A store that acknowledges before it commits is found")
        func acknowledgeEarly() throws {
            let directory = try StoreDirectory()
            #expect(try StoreDriver(bug: .acknowledgeEarly).run(in: directory) == 0)
            #expect(try !directory.trace().prematureAcknowledgements().isEmpty)
        }

        @Test("A store that does not flush its log is found")
        func unflushed() throws {
            let directory = try StoreDirectory()
            #expect(try StoreDriver().run(in: directory, .unflushedLog) == 0)
            #expect(try !directory.trace().prematureAcknowledgements().isEmpty)
            // All is well as long as the power stays on.
            expectSound(try directory.violations())
        }
    }
}
