import Foundation
import Testing

@testable import AviaryDomain

@Suite("Rules for new passwords")
struct PasswordRulesTests {
    private let rules = PasswordRules(names: ["ada.lovelace", "Zoo"])

    @Test("A password needs 15 characters, and the problem gives its length")
    func shortest() {
        #expect(rules.problem(with: "v8#kq!x2mz@7hw9") == nil)
        #expect(rules.problem(with: "v8#kq!x2mz@7hw") == .tooShort(14))
        #expect(rules.problem(with: "") == .tooShort(0))
        #expect(PasswordProblem.tooShort(14).text.contains("at least 15 characters. This password has 14"))
    }

    @Test("A password can have up to 1,000 bytes")
    func longest() {
        let text = "v8#kq!x2mz@7hw9" + String(repeating: "é", count: 492)
        #expect(rules.problem(with: String(text.prefix(64))) == nil)
        #expect(text.utf8.count == 999)
        #expect(rules.problem(with: text + "!") == nil)
        #expect(rules.problem(with: text + "!!") == .tooLong)
    }

    @Test(
        "A password can contain any characters, including spaces",
        arguments: [
            "correct horse battery staple", "zwölf Boxkämpfer jagen", "съешь ещё этих мягких", "東京都庁舎本庁舎第一本庁舎四五階",
            "  leading and trailing  ", "🦒🦓🦏🦛🐘🐪🦘🦬🐃🐂🐄🐎🐖🐏🐑", "tab\tand\u{1B}escape\u{0}null", "839104756281930",
            "QXJZVKWYPBHMFGT",
        ])
    func mixtures(password: String) {
        #expect(rules.problem(with: password) == nil)
    }

    @Test(
        "A password made of common passwords is guessable",
        arguments: [
            "passwordpassword", "Password1234567", "PASSWORD2024!!!", "iloveyouiloveyou", "monkey!!!!!!!!!",
            "letmein12345678",
            "qwertyuiop12345", "1qaz2wsx1qaz2wsx", "dragon-monkey-12", "summer2024summer", "football99football",
            "aaaaaaaaaaaaaaaa",
            "123456789012345", "abcdefghijklmno", "987654321098765", "abcabcabcabcabc", "asdfghjklasdfghjkl",
            "                ",
            "poiuytrewq54321", "migrationschool", "manchesterunited",
        ])
    func common(password: String) {
        #expect(rules.problem(with: password) == .guessable)
    }

    @Test(
        "A password made of the names of the account or the application is guessable",
        arguments: [
            "ada.lovelace2024", "Ada.Lovelace!!!!", "lovelace-ada-1815", "zoo-zoo-zoo-zoo-zoo",
            "ADALOVELACEADALOVELACE",
        ])
    func names(password: String) {
        #expect(rules.problem(with: password) == .guessable)
        #expect(PasswordRules(names: []).problem(with: "Lovelace-ada 18:15 ") == nil)
    }

    @Test("Repetition does not make a password stronger")
    func repetition() {
        #expect(rules.problem(with: String(repeating: "password", count: 100)) == .guessable)
        #expect(rules.problem(with: String(repeating: "x9", count: 500)) == .guessable)
    }

    @Test("Password normalization joins equivalent spellings of a character")
    func normalized() {
        #expect(PasswordRules.normalized("e\u{301}") == PasswordRules.normalized("\u{E9}"))
        #expect(Array(PasswordRules.normalized("e\u{301}ﬁ").utf8) == Array("\u{E9}fi".utf8))
        // Fourteen accented letters are not twenty-eight characters.
        #expect(rules.problem(with: String(repeating: "e\u{301}", count: 14)) == .tooShort(14))
        #expect(PasswordRules.normalized(" a  b ") == " a  b ")
    }

    @Test("Each password problem has a description")
    func silent() {
        for problem in [PasswordProblem.tooShort(3), .tooLong, .guessable] { #expect(problem.text.count > 20) }
    }
}

@Suite("The list of common passwords")
struct CommonPasswordsTests {
    private var words: [Substring] { CommonPasswords.text.description.split { $0 == " " || $0 == "\n" } }

    @Test("The words are sorted, unique and of a length that the lookup covers")
    func sorted() {
        #expect(words.count == 9_623)
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(words.allSatisfy { CommonPasswords.lengths.contains($0.utf8.count) })
    }

    @Test("The lookup finds each word")
    func found() {
        #expect(words.filter { !CommonPasswords.contain(ArraySlice($0.utf8)) } == [])
    }

    @Test(
        "The lookup does not find other text",
        arguments: [
            "", "a", "aaa", "zzzzzzzzzzzzzzzzzzzz", "okapi", "passwor", "password1", "assword ", "aardvark aaron",
            "pass word", "zzzz\n", "staple",
        ])
    func notFound(word: String) {
        #expect(!CommonPasswords.contain(ArraySlice(word.utf8)))
    }
}
