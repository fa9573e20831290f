import Foundation
import NIOCore
import Synchronization
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Limits of request bodies that are being received")
final class BodyIntakeTests: Sendable {
    private let clock = Mutex(NIODeadline.uptimeNanoseconds(1_000_000_000))
    private let ended = Mutex<[String]>([])
    private let account = BodyIntake.Sender.account(UUID())
    private let stranger = BodyIntake.Sender.stranger("192.0.2.1")

    private func intake(_ change: (inout BodyIntake.Limits) -> Void) -> BodyIntake {
        var limits = BodyIntake.Limits()
        change(&limits)
        return BodyIntake(limits: limits) { self.clock.withLock { $0 } }
    }

    private func pass(_ time: TimeAmount) {
        clock.withLock { $0 = $0 + time }
    }

    private func begin(_ name: String, _ sender: BodyIntake.Sender, in intake: BodyIntake) -> Int {
        intake.begin(sender) { self.ended.withLock { $0.append(name) } }
    }

    @Test("Above the limit of an address, its slowest body is aborted, and no body of another address")
    func ofAddress() throws {
        let intake = intake { $0.bodiesOfAddress = 2 }
        _ = begin("other", .stranger("192.0.2.2"), in: intake)
        _ = begin("slow", stranger, in: intake)
        let quick = begin("quick", stranger, in: intake)
        pass(.seconds(5))
        try intake.receive(4096, of: quick, isKept: true)
        _ = begin("new", stranger, in: intake)
        #expect(ended.withLock { $0 } == ["slow"])
        #expect(intake.arriving == 3)
    }

    @Test("Above the limit of an account, its slowest body is aborted, and no body of another account")
    func ofAccount() {
        let intake = intake { $0.bodiesOfAccount = 1 }
        _ = begin("other", .account(UUID()), in: intake)
        _ = begin("slow", account, in: intake)
        pass(.seconds(5))
        _ = begin("new", account, in: intake)
        #expect(ended.withLock { $0 } == ["slow"])
    }

    @Test("Above the limit of the process, anonymous bodies are aborted before those of accounts")
    func strangersFirst() {
        let intake = intake { $0.bodies = 2 }
        _ = begin("account", account, in: intake)
        pass(.seconds(5))
        _ = begin("stranger", stranger, in: intake)
        pass(.seconds(5))
        _ = begin("new", .account(UUID()), in: intake)
        #expect(ended.withLock { $0 } == ["stranger"])
    }

    @Test("Bodies that have just begun are not aborted, however many there are")
    func burst() {
        let intake = intake { $0.bodiesOfAddress = 2 }
        for number in 0..<10 { _ = begin("\(number)", stranger, in: intake) }
        #expect(ended.withLock { $0 } == [])
        pass(.seconds(2))
        _ = begin("later", stranger, in: intake)
        #expect(ended.withLock { $0.count } == 9)
        #expect(intake.arriving == 2)
    }

    @Test("Above twice the limit of the process, the slowest body is aborted even if it is not late")
    func twice() {
        let intake = intake { $0.bodies = 2 }
        for number in 0..<4 {
            _ = begin("\(number)", .stranger("192.0.2.\(number)"), in: intake)
            pass(.milliseconds(1))
        }
        #expect(ended.withLock { $0 } == [])
        _ = begin("account", account, in: intake)
        #expect(ended.withLock { $0 } == ["0"])
        _ = begin("stranger", stranger, in: intake)
        #expect(ended.withLock { $0 } == ["0", "1"])
        #expect(intake.arriving == 4)
    }

    @Test(
        "A sender of more bodies than it may have loses its own above twice the limit, and not the form of another one")
    func ofGreedySender() {
        let intake = intake {
            $0.bodies = 2
            $0.bodiesOfAccount = 3
        }
        for number in 0..<4 { _ = begin("\(number)", account, in: intake) }
        _ = begin("sign-in", stranger, in: intake)
        #expect(ended.withLock { $0 } == ["0"])
        #expect(intake.arriving == 4)
    }

    @Test("A complete body is never aborted, and its bytes count until its request is answered")
    func whole() throws {
        let intake = intake {
            $0.bodiesOfAccount = 1; $0.bytesOfAccount = 100
        }
        let whole = begin("whole", account, in: intake)
        try intake.receive(80, of: whole, isKept: true)
        intake.complete(whole)
        pass(.seconds(5))
        let next = begin("next", account, in: intake)
        #expect(throws: BodyIntake.Crowded.self) { try intake.receive(40, of: next, isKept: true) }
        #expect(ended.withLock { $0 } == [])
        intake.leave(whole)
        try intake.receive(40, of: next, isKept: true)
        #expect(intake.bytes == 40)
    }

    @Test("When an account's bytes are used up, its slowest body is aborted")
    func bytesOfAccount() throws {
        let intake = intake { $0.bytesOfAccount = 100 }
        let other = begin("other", .account(UUID()), in: intake)
        try intake.receive(100, of: other, isKept: true)
        let slow = begin("slow", account, in: intake)
        try intake.receive(60, of: slow, isKept: true)
        pass(.seconds(5))
        let quick = begin("quick", account, in: intake)
        try intake.receive(60, of: quick, isKept: true)
        #expect(ended.withLock { $0 } == ["slow"])
        #expect(intake.bytes == 160)
        #expect(throws: BodyIntake.Crowded.self, "it was ended") { try intake.receive(1, of: slow, isKept: true) }
    }

    @Test("All anonymous clients share one limit of bytes, whatever their addresses")
    func bytesOfStrangers() throws {
        let intake = intake { $0.bytesOfStrangers = 100 }
        for number in 0..<10 {
            let body = begin("\(number)", .stranger("192.0.2.\(number)"), in: intake)
            try intake.receive(40, of: body, isKept: true)
            #expect(intake.bytes <= 100)
        }
        let body = begin("account", account, in: intake)
        try intake.receive(1000, of: body, isKept: true)
    }

    @Test("The bytes of a file are not counted")
    func file() throws {
        let intake = intake { $0.bytesOfAccount = 100 }
        let body = begin("file", account, in: intake)
        for _ in 0..<100 { try intake.receive(1000, of: body, isKept: false) }
        #expect(intake.bytes == 0)
    }

    @Test("A request releases its admission while its body arrives and enters again when it is complete")
    func ticket() throws {
        let admission = RequestAdmission(limit: 4, changeLimit: 1)
        let ticket = try #require(AdmissionTicket(admission, isChange: true))
        #expect(AdmissionTicket(admission, isChange: true) == nil)
        ticket.leave()
        #expect(admission.inFlight == 0)
        let other = try #require(AdmissionTicket(admission, isChange: true))
        #expect(!ticket.enter())
        other.leave()
        other.leave()
        #expect(ticket.enter() && ticket.enter())
        #expect(admission.inFlight == 1)
    }
}
