import Foundation
import Testing

@testable import AviaryAdmin

@Suite("scrypt hashes and their text format")
struct ScryptHashTests {
    private static let cheap = ScryptParameters(logarithm: 4, blockSize: 1, parallelism: 1)

    @Test(
        "The derived key matches the test vectors in RFC 7914, section 12",
        arguments: [
            (
                "password", "NaCl", 10, 8, 16,
                """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d\
                8360cbdfa2cc0640
                """
            ),
            (
                "pleaseletmein", "SodiumChloride", 14, 8, 1,
                """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40\
                dfcf017b45575887
                """
            ),
        ])
    func vectors(password: String, salt: String, logarithm: Int, blockSize: Int, parallelism: Int, expected: String)
        throws
    {
        let parameters = ScryptParameters(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism)
        let derived = try #require(parameters.derive(from: password, salt: Array(salt.utf8), count: 64))
        #expect(derived.map { String(format: "%02x", $0) }.joined() == expected)
    }

    @Test("New hashes use N = 2^15, r = 8 and p = 3, which takes 32 MiB")
    func standard() throws {
        let hash = try #require(ScryptHash(of: "okapi", parameters: .standard))
        #expect("\(hash)".wholeMatch(of: /\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+\/]{22}\$[A-Za-z0-9+\/]{43}/) != nil)
    }

    @Test("A hash from another program is verified with its own parameters")
    func foreign() throws {
        // Python: hashlib.scrypt(b"correct horse", salt=b"0123456789abcdef", n=1024, r=4, p=2, dklen=32)
        let hash = try #require(
            ScryptHash("$scrypt$ln=10,r=4,p=2$MDEyMzQ1Njc4OWFiY2RlZg$pM6jdhPT23p+EDpUFwfNjooI8FMcdVPYSVQX5LS/e6w"))
        #expect(hash.isHash(of: "correct horse") == true)
        #expect(hash.isHash(of: "correct horsf") == false)
    }

    @Test("A hash survives a round trip through its text, and equal passwords get different hashes")
    func roundTrip() throws {
        let (one, two) = (
            try #require(ScryptHash(of: "okapi", parameters: Self.cheap)),
            try #require(ScryptHash(of: "okapi", parameters: Self.cheap))
        )
        #expect(ScryptHash("\(one)") == one)
        #expect(one.salt != two.salt && one.hash != two.hash)
        #expect(one.isHash(of: "okapi") == true && one.isHash(of: "okapj") == false)
    }

    @Test(
        "A hash with excessive or invalid parameters is rejected without being computed",
        arguments: [
            "ln=31,r=8,p=3", "ln=18,r=8,p=1", "ln=20,r=8,p=1", "ln=17,r=16,p=1", "ln=15,r=8,p=64", "ln=63,r=8,p=1",
            "ln=64,r=8,p=1",
            "ln=10,r=1000000,p=1", "ln=10,r=8,p=1000000000", "ln=9223372036854775807,r=8,p=1",
            "ln=10,r=9223372036854775807,p=1",
            "ln=0,r=8,p=1", "ln=15,r=0,p=1", "ln=15,r=8,p=0", "ln=-1,r=8,p=1",
        ])
    func hostile(parameters: String) {
        #expect(ScryptHash("$scrypt$\(parameters)$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg") == nil)
    }

    @Test(
        "Malformed text is not a hash",
        arguments: [
            "", "$", "$scrypt$", "okapi", "$argon2id$ln=4,r=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
            "$scrypt$ln=4,r=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
            "$scrypt$r=1,ln=4,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
            "$scrypt$ln=04,r=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
            "$scrypt$ln=+4,r=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
            "$scrypt$ln=4,r=1,p=1$$MDEyMzQ1Njc4OWFiY2RlZg", "$scrypt$ln=4,r=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$",
            "$scrypt$ln=4,r=1,p=1$MDEy$MDEy",
            "$scrypt$ln=4,r=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg==$MDEyMzQ1Njc4OWFiY2RlZg",
            "$scrypt$ln=4,r=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg$",
            "$scrypt$ln=4,r=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZh",
        ])
    func rubbish(text: String) {
        #expect(ScryptHash(text) == nil)
    }
}
