import AviaryDomain
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Passwords are hashed one at a time on a background thread")
struct ScryptPasswordsTests {
    private static let cheap = ScryptParameters(logarithm: 10, blockSize: 8, parallelism: 1)
    private let passwords = ScryptPasswords(parameters: cheap)

    @Test("Verification accepts the right password and rejects others")
    func verified() async throws {
        let hash = try await passwords.hash("correct horse battery")
        #expect(try await passwords.verify("correct horse battery", against: hash))
        #expect(try await !passwords.verify("correct horse batterY", against: hash))
        #expect(try await !passwords.verify("", against: hash))
        #expect(try await !passwords.verify(" ", against: hash))
    }

    @Test("Verification normalizes Unicode, so equivalent spellings of a password match")
    func normalized() async throws {
        let hash = try await passwords.hash("Cafe\u{301} ﬁn")
        #expect(try await passwords.verify("Caf\u{E9} fin", against: hash))
        #expect(try await !passwords.verify("Cafe fin", against: hash))
    }

    @Test(
        "A missing hash or an impossible password costs the same work as a wrong password",
        arguments: ["wrong", "", String(repeating: "a", count: PasswordRules.longest + 1)])
    func sameWork(password: String) async throws {
        let works = Mutex<[String]>([])
        let passwords = ScryptPasswords(parameters: Self.cheap) { parameters, password, salt, count in
            works.withLock { $0.append("\(parameters) \(salt.count) \(count)") }
            return parameters.derive(from: password, salt: salt, count: count)
        }
        let hash = try await self.passwords.hash("correct horse battery")
        for hash in [hash, nil] { #expect(try await !passwords.verify(password, against: hash)) }
        #expect(works.withLock { $0 } == [String](repeating: "\(Self.cheap) 16 32", count: 2))
    }

    @Test(
        "A missing hash takes about as long to reject as a wrong password",
        .enabled(
            if: Explore.isOn, "It measures, which a busy machine disturbs; see the test of the work that is done."),
        .timeLimit(.minutes(Patience.minutes)))
    func noHash() async throws {
        let passwords = ScryptPasswords(parameters: ScryptParameters(logarithm: 13, blockSize: 8, parallelism: 1))
        let hash = try await passwords.hash("correct horse battery")
        let cases: [(password: String, hash: String?)] = [("wrong", hash), ("wrong", nil), ("", nil)]
        var times: [[Duration]] = cases.map { _ in [] }
        // The cases alternate, so that other load of the machine affects all of them.
        for _ in 0..<15 {
            for (index, (password, hash)) in cases.enumerated() {
                let start = ContinuousClock.now
                #expect(try await !passwords.verify(password, against: hash))
                times[index].append(ContinuousClock.now - start)
            }
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        #expect(medians[1] > medians[0] / 4 && medians[0] > medians[1] / 4, "\(medians)")
        #expect(medians[2] > medians[0] / 4, "\(medians)")
    }

    @Test("An unreadable hash is an error, not a wrong password")
    func unreadable() async {
        await #expect(throws: PasswordHashingError.failed) {
            try await passwords.verify("x", against: "$scrypt$ln=40,r=8,p=1$AAAA$AAAA")
        }
        await #expect(throws: PasswordHashingError.failed) { try await passwords.verify("x", against: "") }
        await #expect(throws: PasswordHashingError.failed) { try await passwords.hash("") }
    }

    @Test("A hash with old parameters still verifies and needs a rehash")
    func older() async throws {
        let old = try await ScryptPasswords(parameters: ScryptParameters(logarithm: 9, blockSize: 8, parallelism: 1))
            .hash("okapi")
        #expect(try await passwords.verify("okapi", against: old))
        #expect(passwords.needsRehash(old))
        #expect(try await !passwords.needsRehash(passwords.hash("okapi")))
        #expect(passwords.needsRehash("none"))
    }
}
