import AviaryDomain
import Testing

@testable import AviaryCommands

@Suite("The progress of an import on a terminal")
struct ImportMeterTests {
    @Test("The rate and the time left follow from the lines since the beginning of the step")
    func rate() {
        var time = Duration.zero
        var meter = ImportMeter { time }
        #expect(meter.text(ImportProgress(.checking, done: 256)) == "Checking, 256 lines")
        time = .seconds(2)
        #expect(meter.text(ImportProgress(.checking, done: 3000)) == "Checking, 3,000 lines, 1,500 lines/s")
        #expect(meter.text(ImportProgress(.storing, done: 0, of: 10_000)) == "Storing 0%, 0 of 10,000 lines")
        time = .seconds(6)
        #expect(
            meter.text(ImportProgress(.storing, done: 4000, of: 10_000))
                == "Storing 40%, 4,000 of 10,000 lines, 1,000 lines/s, 6 s left")
        time = .seconds(102)
        #expect(
            meter.text(ImportProgress(.storing, done: 5000, of: 10_000))
                == "Storing 50%, 5,000 of 10,000 lines, 50 lines/s, 2 min left")
    }

    @Test("A text that would replace a new one is left out")
    func pause() {
        var time = Duration.zero
        var meter = ImportMeter { time }
        #expect(meter.text(ImportProgress(.checking, done: 1)) != nil)
        time = .milliseconds(100)
        #expect(meter.text(ImportProgress(.checking, done: 2)) == nil)
        time = .milliseconds(200)
        #expect(meter.text(ImportProgress(.checking, done: 3)) != nil)
    }
}
