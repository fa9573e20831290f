import Foundation
import NIOCore
import Synchronization

/// The bodies that a process is receiving, and the bytes of forms that it keeps.
///
/// A body takes no place among the requests that are worked on until it is whole, so it can be waited for as long as it
/// has credit. Here it is bounded how many arrive at a time, of one sender and in all, and how many bytes they may hold.
/// Where there are too many, the slowest is ended: whoever sends a form in one go is never the one.
final class BodyIntake: Sendable {
    /// Who sends a body, as far as that is known before it is read.
    enum Sender: Hashable, Sendable {
        case account(UUID)
        /// Nobody who is signed in, from one network.
        case stranger(String)

        fileprivate var isStranger: Bool {
            if case .stranger = self { true } else { false }
        }
    }

    struct Limits: Sendable {
        /// Bodies that arrive at a time.
        var bodies = 256
        /// The same, of strangers at one address.
        var bodiesOfAddress = 64
        /// The same, of one account.
        var bodiesOfAccount = 32
        /// Bytes of forms, from the first that arrives until the request is answered.
        var bytes = 8 << 20
        /// The same, of one account.
        var bytesOfAccount = 4 << 20
        /// The same, of all strangers together.
        var bytesOfStrangers = 2 << 20
        /// How far behind its pace a body must be before it is ended to make room for another one.
        var leastDelay = TimeAmount.seconds(1)
        /// The pace.
        var transfer = ConnectionLimits.standard
    }

    /// Too much is arriving, or is kept already.
    struct Crowded: Error {}

    private struct Entry {
        let sender: Sender
        let end: @Sendable () -> Void
        var credit: TransferCredit
        var bytes = 0
        var isArriving = true
    }

    private struct State {
        var next = 0
        private(set) var entries: [Int: Entry] = [:]
        /// How many arrive, of each sender.
        private(set) var arriving: [Sender: Int] = [:]
        private(set) var arrivingCount = 0
        /// Bytes of each account's forms; those of strangers are one sum.
        private(set) var accountBytes: [Sender: Int] = [:]
        private(set) var strangerBytes = 0
        private(set) var bytes = 0

        mutating func begin(_ entry: Entry) -> Int {
            defer { next += 1 }
            entries[next] = entry
            arriving[entry.sender, default: 0] += 1
            arrivingCount += 1
            return next
        }

        mutating func earn(_ count: Int, of number: Int, at now: NIODeadline) {
            entries[number]?.credit.earn(count, at: now)
        }

        mutating func add(_ count: Int, to number: Int) {
            guard let sender = entries[number]?.sender else { return }
            entries[number]?.bytes += count
            bytes += count
            if sender.isStranger {
                strangerBytes += count
            } else {
                let sum = accountBytes[sender, default: 0] + count
                accountBytes[sender] = sum > 0 ? sum : nil
            }
        }

        mutating func complete(_ number: Int) {
            guard let entry = entries[number], entry.isArriving else { return }
            entries[number]?.isArriving = false
            arrivingCount -= 1
            let count = arriving[entry.sender, default: 0] - 1
            arriving[entry.sender] = count > 0 ? count : nil
        }

        /// What ends its connection; nil where it has left already.
        @discardableResult
        mutating func remove(_ number: Int) -> (@Sendable () -> Void)? {
            guard let entry = entries[number] else { return nil }
            complete(number)
            add(-entry.bytes, to: number)
            entries[number] = nil
            return entry.end
        }
    }

    private let limits: Limits
    private let now: @Sendable () -> NIODeadline
    private let state = Mutex(State())

    init(limits: Limits = Limits(), now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.limits = limits
        self.now = now
    }

    /// How many bodies arrive now.
    var arriving: Int { state.withLock { $0.arrivingCount } }
    /// How many bytes of forms are kept now.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Notes that a body begins. ``leave(_:)`` has to follow.
    ///
    /// - Parameter end: ends its connection; called at most once, and not for a body that is whole.
    func begin(_ sender: Sender, end: @escaping @Sendable () -> Void) -> Int {
        let now = now()
        let (number, ended) = state.withLock { state in
            let number = state.begin(
                Entry(sender: sender, end: end, credit: TransferCredit(limits.transfer, from: now)))
            let most = sender.isStranger ? limits.bodiesOfAddress : limits.bodiesOfAccount
            let ofSender = state.arriving[sender, default: 0] - most
            var ended = endLate(ofSender, in: &state, at: now) { $0.sender == sender }
            ended += endLate(state.arrivingCount - limits.bodies, in: &state, at: now) { _ in true }
            return (number, ended)
        }
        for end in ended { end() }
        return number
    }

    /// Counts bytes that have arrived.
    ///
    /// - Parameter isKept: whether they stay in memory; those of a file do not.
    /// - Throws: ``Crowded`` where there is no room for them, and for a body that was ended.
    func receive(_ count: Int, of number: Int, isKept: Bool) throws(Crowded) {
        let now = now()
        let (isTaken, ended) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
            guard let sender = state.entries[number]?.sender else { return (false, []) }
            state.earn(count, of: number, at: now)
            guard isKept else { return (true, []) }
            var ended: [@Sendable () -> Void] = []
            let ofSender =
                sender.isStranger
                ? state.strangerBytes - limits.bytesOfStrangers
                : state.accountBytes[sender, default: 0] - limits.bytesOfAccount
            let isTaken =
                makeRoom(ofSender + count, for: number, in: &state, ending: &ended) {
                    sender.isStranger ? $0.sender.isStranger : $0.sender == sender
                } && makeRoom(state.bytes - limits.bytes + count, for: number, in: &state, ending: &ended) { _ in true }
            if isTaken { state.add(count, to: number) }
            return (isTaken, ended)
        }
        for end in ended { end() }
        guard isTaken else { throw Crowded() }
    }

    /// Notes that the body has arrived to its end. What is kept of it stays counted until it leaves.
    func complete(_ number: Int) {
        state.withLock { $0.complete(number) }
    }

    func leave(_ number: Int) {
        state.withLock { _ = $0.remove(number) }
    }

    /// More are ended when the next one begins: nobody waits for the end of hundreds.
    private static let mostEndedAtOnce = 16

    /// Ends so many bodies, if so many are late: strangers' first, and of them the slowest.
    private func endLate(
        _ excess: Int, in state: inout State, at now: NIODeadline, among isMeant: (Entry) -> Bool
    ) -> [@Sendable () -> Void] {
        guard excess > 0 else { return [] }
        let latest = now + limits.transfer.transfer - limits.leastDelay
        let late = state.entries.filter { entry in
            entry.value.isArriving && entry.value.credit.deadline <= latest && isMeant(entry.value)
        }
        return Self.slowestFirst(late).prefix(min(excess, Self.mostEndedAtOnce)).compactMap { state.remove($0) }
    }

    /// Whether so many bytes are free, after bodies that are slower and still arrive were ended for them.
    private func makeRoom(
        _ excess: Int, for number: Int, in state: inout State, ending ended: inout [@Sendable () -> Void],
        among isMeant: (Entry) -> Bool
    ) -> Bool {
        guard excess > 0 else { return true }
        let others = state.entries.filter { entry in
            entry.key != number && entry.value.isArriving && entry.value.bytes > 0 && isMeant(entry.value)
        }
        // Nobody is ended for what has no room all the same.
        guard others.values.reduce(0, { $0 + $1.bytes }) >= excess else { return false }
        var excess = excess
        for other in Self.slowestFirst(others) where excess > 0 {
            excess -= others[other]?.bytes ?? 0
            if let end = state.remove(other) { ended.append(end) }
        }
        return true
    }

    private static func slowestFirst(_ entries: [Int: Entry]) -> [Int] {
        entries.sorted {
            ($0.value.sender.isStranger ? 0 : 1, $0.value.credit.deadline, $0.key)
                < ($1.value.sender.isStranger ? 0 : 1, $1.value.credit.deadline, $1.key)
        }.map(\.key)
    }
}

/// One request's body on its way: it gives up the request's place until it is whole.
final class ArrivingBody: Sendable {
    /// Asks the connection's gate to end a body that arrives too slowly for a full process.
    struct Ending: Sendable {}

    private let intake: BodyIntake
    private let ticket: AdmissionTicket?
    private let number: Int

    init(_ context: AdminRequestContext, in intake: BodyIntake) {
        self.intake = intake
        ticket = context.admission
        number = intake.begin(context.sender, end: context.endBody)
        ticket?.leave()
    }

    /// - Throws: ``RequestRefusal/busy``.
    func receive(_ count: Int, isKept: Bool) throws(RequestRefusal) {
        do {
            try intake.receive(count, of: number, isKept: isKept)
        } catch {
            throw .busy
        }
    }

    /// Takes the request's place again, now that everything is there.
    ///
    /// - Throws: ``RequestRefusal/busy``.
    func complete() throws(RequestRefusal) {
        intake.complete(number)
        guard ticket?.enter() ?? true else { throw .busy }
    }

    func leave() {
        intake.leave(number)
    }
}
