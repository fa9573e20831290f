package import Foundation
package import NIOCore
import Synchronization

/// The bodies that a process is receiving, and the bytes of forms that it holds in memory.
///
/// An arriving body does not count as a request in progress until it is complete, so the server can wait for it as
/// long as it has credit. The intake limits the number of bodies that arrive concurrently, per sender and in total,
/// and the bytes that they may hold. Above the number it ends the slowest bodies, if they are late: a client that
/// sends its form without a pause never is. Above twice the number, it ends bodies of senders that exceed their own
/// number, or else of all. Above the bytes, it ends other bodies that still arrive. The slowest are first.
package final class BodyIntake: Sendable {
    /// The sender of a body, as far as it is known before the body is read.
    package enum Sender: Hashable, Sendable {
        case account(UUID)
        /// A client without a session, identified by its network.
        case stranger(String)

        fileprivate var isStranger: Bool {
            if case .stranger = self { true } else { false }
        }
    }

    struct Limits: Sendable {
        /// The largest number of bodies that arrive at the same time.
        var bodies = 256
        /// The largest number of arriving bodies of clients without a session in one network.
        var bodiesOfAddress = 64
        /// The largest number of arriving bodies of one account.
        var bodiesOfAccount = 32
        /// The largest size of all forms in bytes, each from its first byte until its request is answered.
        var bytes = 8 << 20
        /// The largest size of the forms of one account, in bytes.
        var bytesOfAccount = 4 << 20
        /// The largest size of the forms of all clients without a session together, in bytes.
        var bytesOfStrangers = 2 << 20
        /// The least delay that a body must have before it is ended in favor of another one.
        var leastDelay = TimeAmount.seconds(1)
        /// The limits that define the least rate of a body.
        var transfer = ConnectionLimits.standard
    }

    /// The error thrown when too much data is arriving or held in memory.
    package struct Crowded: Error {}

    private struct Entry {
        let sender: Sender
        let end: @Sendable () -> Void
        var credit: MinimumTransferRate
        var bytes = 0
        var isArriving = true
    }

    private struct State {
        var next = 0
        private(set) var entries: [Int: Entry] = [:]
        /// The number of arriving bodies of each sender.
        private(set) var arriving: [Sender: Int] = [:]
        private(set) var arrivingCount = 0
        /// The bytes of each account's forms. The forms of clients without a session share `strangerBytes`.
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

        mutating func credit(_ count: Int, of number: Int, at now: NIODeadline) {
            entries[number]?.credit.credit(count, at: now)
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

        /// Removes a body and returns the closure that ends its connection, or nil if the body has already left.
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

    package convenience init() {
        self.init(limits: Limits())
    }

    init(limits: Limits, now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.limits = limits
        self.now = now
    }

    /// The number of bodies that are arriving.
    var arriving: Int { state.withLock { $0.arrivingCount } }
    /// The number of bytes of forms in memory.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Registers a body that begins. The caller must call ``leave(_:)`` later.
    ///
    /// - Parameter end: A closure that ends the body's connection. It is called at most once, and never for a
    ///   complete body.
    func begin(_ sender: Sender, end: @escaping @Sendable () -> Void) -> Int {
        let now = now()
        let (number, ended) = state.withLock { state in
            let number = state.begin(
                Entry(sender: sender, end: end, credit: MinimumTransferRate(limits.transfer, from: now)))
            let ofSender = state.arriving[sender, default: 0] - most(of: sender)
            var ended = endLate(ofSender, in: &state, at: now) { $0.sender == sender }
            ended += endLate(state.arrivingCount - limits.bodies, in: &state, at: now) { _ in true }
            // A request whose body arrives takes tens of kilobytes: hundreds that begin at once must not add up.
            let excess = state.arrivingCount - 2 * limits.bodies, numbers = state.arriving
            // A sender of hundreds must not end the form of a sender within its number.
            let greedy = endSlowest(excess, in: &state) { numbers[$0.sender, default: 0] > most(of: $0.sender) }
            ended += greedy.isEmpty ? endSlowest(excess, in: &state) { _ in true } : greedy
            return (number, ended)
        }
        for end in ended { end() }
        return number
    }

    /// Returns the largest number of arriving bodies of a sender.
    private func most(of sender: Sender) -> Int {
        sender.isStranger ? limits.bodiesOfAddress : limits.bodiesOfAccount
    }

    /// Counts bytes that have arrived.
    ///
    /// - Parameter isKept: Whether the bytes stay in memory. The bytes of a file do not.
    /// - Throws: ``Crowded`` if there is no room for the bytes, or if the body was ended.
    func receive(_ count: Int, of number: Int, isKept: Bool) throws(Crowded) {
        let now = now()
        let (isTaken, ended) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
            guard let sender = state.entries[number]?.sender else { return (false, []) }
            state.credit(count, of: number, at: now)
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

    /// Marks a body as complete. Its bytes in memory count until it leaves.
    func complete(_ number: Int) {
        state.withLock { $0.complete(number) }
    }

    func leave(_ number: Int) {
        state.withLock { _ = $0.remove(number) }
    }

    /// The largest number of bodies that are ended at once. The next body ends further ones, so that none waits for
    /// the end of hundreds.
    private static let mostEndedAtOnce = 16

    /// Ends up to `excess` late bodies: those without a session first, and among them the slowest.
    private func endLate(
        _ excess: Int, in state: inout State, at now: NIODeadline, among isMeant: (Entry) -> Bool
    ) -> [@Sendable () -> Void] {
        let latest = now + limits.transfer.transfer - limits.leastDelay
        return endSlowest(excess, in: &state) { $0.credit.deadline <= latest && isMeant($0) }
    }

    private func endSlowest(
        _ excess: Int, in state: inout State, among isMeant: (Entry) -> Bool
    ) -> [@Sendable () -> Void] {
        guard excess > 0 else { return [] }
        let arriving = state.entries.filter { $0.value.isArriving && isMeant($0.value) }
        return Self.slowestFirst(arriving).prefix(min(excess, Self.mostEndedAtOnce)).compactMap { state.remove($0) }
    }

    /// Frees `excess` bytes by ending other bodies that still arrive, the slowest first, and returns whether enough bytes
    /// are free.
    private func makeRoom(
        _ excess: Int, for number: Int, in state: inout State, ending ended: inout [@Sendable () -> Void],
        among isMeant: (Entry) -> Bool
    ) -> Bool {
        guard excess > 0 else { return true }
        let others = state.entries.filter { entry in
            entry.key != number && entry.value.isArriving && entry.value.bytes > 0 && isMeant(entry.value)
        }
        // No body is ended if that would not free enough bytes.
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

/// The arriving body of one request. The request releases its admission until the body is complete.
package final class ArrivingBody: Sendable {
    /// An event that asks the connection's gate to end a body that arrives too slowly for a process at its limit.
    struct Ending: Sendable {}

    private let intake: BodyIntake
    private let ticket: AdmissionTicket?
    private let number: Int

    /// Registers the body of a request.
    ///
    /// - Parameters:
    ///   - ticket: The admission of the request, which the body releases; nil if requests are not limited.
    ///   - end: A closure that ends the body's connection.
    package init(
        of sender: BodyIntake.Sender, admission ticket: AdmissionTicket?, in intake: BodyIntake,
        end: @escaping @Sendable () -> Void
    ) {
        self.intake = intake
        self.ticket = ticket
        number = intake.begin(sender, end: end)
        ticket?.leave()
    }

    /// Returns a closure that ends the body that arrives on a channel.
    package static func end(on channel: any Channel) -> @Sendable () -> Void {
        { channel.triggerUserOutboundEvent(Ending(), promise: nil) }
    }

    /// Counts bytes that have arrived.
    ///
    /// - Parameter isKept: Whether the bytes stay in memory. The bytes of a file do not.
    /// - Throws: ``BodyIntake/Crowded`` if there is no room for the bytes, or if the body was ended.
    package func receive(_ count: Int, isKept: Bool) throws(BodyIntake.Crowded) {
        try intake.receive(count, of: number, isKept: isKept)
    }

    /// Admits the request again when its body is complete.
    ///
    /// - Throws: ``BodyIntake/Crowded`` if the process is at its limit.
    package func complete() throws(BodyIntake.Crowded) {
        intake.complete(number)
        guard ticket?.enter() ?? true else { throw BodyIntake.Crowded() }
    }

    package func leave() {
        intake.leave(number)
    }
}
