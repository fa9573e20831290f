@testable import AviaryServer
import AviaryDomain
import Foundation
import Synchronization
import Testing

@Suite("Passwords are hashed one at a time, beside what serves")
struct ScryptPasswordsTests {
    private static let cheap = ScryptParameters(logarithm: 10, blockSize: 8, parallelism: 1)
    private let passwords = ScryptPasswords(parameters: cheap)

    @Test("The right password is told from others")
    func verified() async throws {
        let hash = try await passwords.hash("correct horse battery")
        #expect(try await passwords.verify("correct horse battery", against: hash))
        #expect(try await !passwords.verify("correct horse batterY", against: hash))
        #expect(try await !passwords.verify("", against: hash))
        #expect(try await !passwords.verify(" ", against: hash))
    }

    @Test("It does not matter how a keyboard makes an accent")
    func normalized() async throws {
        let hash = try await passwords.hash("Cafe\u{301} ﬁn")
        #expect(try await passwords.verify("Caf\u{E9} fin", against: hash))
        #expect(try await !passwords.verify("Cafe fin", against: hash))
    }

    @Test("Where there is no hash, no password is right, and it takes as long to say so", .timeLimit(.minutes(5)))
    func noHash() async throws {
        let passwords = ScryptPasswords(parameters: ScryptParameters(logarithm: 13, blockSize: 8, parallelism: 1))
        let hash = try await passwords.hash("correct horse battery")
        func median(of password: String, against hash: String?) async throws -> Duration {
            var times: [Duration] = []
            for _ in 0..<9 {
                let start = ContinuousClock.now
                #expect(try await !passwords.verify(password, against: hash))
                times.append(ContinuousClock.now - start)
            }
            return times.sorted()[4]
        }
        let (known, unknown, empty) = (
            try await median(of: "wrong", against: hash), try await median(of: "wrong", against: nil), try await median(of: "", against: nil)
        )
        // What a missing dummy would take is a thousandth; the machine is busy with other tests.
        #expect(unknown > known / 20 && known > unknown / 20, "\(known), \(unknown)")
        #expect(empty > known / 20, "\(known), \(empty)")
    }

    @Test("A hash that cannot be read is an error, not a wrong password")
    func unreadable() async {
        await #expect(throws: PasswordHashingError.failed) { try await passwords.verify("x", against: "$scrypt$ln=40,r=8,p=1$AAAA$AAAA") }
        await #expect(throws: PasswordHashingError.failed) { try await passwords.verify("x", against: "") }
        await #expect(throws: PasswordHashingError.failed) { try await passwords.hash("") }
    }

    @Test("An older hash is still good, and is to be made anew")
    func older() async throws {
        let old = try await ScryptPasswords(parameters: ScryptParameters(logarithm: 9, blockSize: 8, parallelism: 1)).hash("okapi")
        #expect(try await passwords.verify("okapi", against: old))
        #expect(passwords.needsRehash(old))
        #expect(try await !passwords.needsRehash(passwords.hash("okapi")))
        #expect(passwords.needsRehash("none"))
    }

    @Test("Fifty at once take the memory of one", .timeLimit(.minutes(5)))
    func memory() async throws {
        let passwords = ScryptPasswords()
        let isOver = Mutex(false)
        let before = try #require(ProcessFigures(getpid())).residentMemory
        async let peak = highestMemory(until: { isOver.withLock { $0 } })
        // A few are enough: while one works the others wait.
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { try await passwords.verify("wrong", against: nil) } }
            for _ in 0..<4 {
                let isRight = try await group.next()
                #expect(isRight == false)
            }
            group.cancelAll()
            while case .some = await group.nextResult() {}
        }
        isOver.withLock { $0 = true }
        let growth = await peak - before
        print("50 at once: \(growth / 1_048_576) MiB more than before")
        // Side by side they would take fifty times as much; other tests of this process take some meanwhile.
        #expect(growth < 400 << 20)
    }

    private func highestMemory(until isOver: @escaping @Sendable () -> Bool) async -> Int {
        await onThread {
            var highest = 0
            while !isOver() {
                highest = max(highest, ProcessFigures(getpid())?.residentMemory ?? 0)
                usleep(2000)
            }
            return highest
        }
    }
}
