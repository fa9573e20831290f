import Foundation
import Testing

@testable import AviaryDomain

@Suite("What a new password must be")
struct PasswordRulesTests {
    private let rules = PasswordRules(names: ["ada.lovelace", "Zoo"])

    @Test("15 characters are enough, 14 are not, and the answer says how many there are")
    func shortest() {
        #expect(rules.problem(with: "v8#kq!x2mz@7hw9") == nil)
        #expect(rules.problem(with: "v8#kq!x2mz@7hw") == .tooShort(14))
        #expect(rules.problem(with: "") == .tooShort(0))
        #expect(PasswordProblem.tooShort(14).text.contains("at least 15 characters. This password has 14"))
    }

    @Test("64 characters and many more may be used, up to 1,000 bytes")
    func longest() {
        let text = "v8#kq!x2mz@7hw9" + String(repeating: "é", count: 492)
        #expect(rules.problem(with: String(text.prefix(64))) == nil)
        #expect(text.utf8.count == 999)
        #expect(rules.problem(with: text + "!") == nil)
        #expect(rules.problem(with: text + "!!") == .tooLong)
    }

    @Test(
        "Any mixture of any characters may be used, spaces too",
        arguments: [
            "correct horse battery staple", "zwölf Boxkämpfer jagen", "съешь ещё этих мягких", "東京都庁舎本庁舎第一本庁舎四五階",
            "  leading and trailing  ", "🦒🦓🦏🦛🐘🐪🦘🦬🐃🐂🐄🐎🐖🐏🐑", "tab\tand\u{1B}escape\u{0}null", "839104756281930",
            "QXJZVKWYPBHMFGT",
        ])
    func mixtures(password: String) {
        #expect(rules.problem(with: password) == nil)
    }

    @Test(
        "What is made of common passwords, however it is filled up, is easy to guess",
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
        "What is made of the account's name or the application's is easy to guess",
        arguments: [
            "ada.lovelace2024", "Ada.Lovelace!!!!", "lovelace-ada-1815", "zoo-zoo-zoo-zoo-zoo",
            "ADALOVELACEADALOVELACE",
        ])
    func names(password: String) {
        #expect(rules.problem(with: password) == .guessable)
        #expect(PasswordRules(names: []).problem(with: "Lovelace-ada 18:15 ") == nil)
    }

    @Test("Repeating something a hundred times adds nothing to it")
    func repetition() {
        #expect(rules.problem(with: String(repeating: "password", count: 100)) == .guessable)
        #expect(rules.problem(with: String(repeating: "x9", count: 500)) == .guessable)
    }

    @Test("A character that is written in two ways, or in its compatible form, is one character")
    func normalized() {
        #expect(PasswordRules.normalized("e\u{301}") == PasswordRules.normalized("\u{E9}"))
        #expect(Array(PasswordRules.normalized("e\u{301}ﬁ").utf8) == Array("\u{E9}fi".utf8))
        // Fourteen accented letters are not twenty-eight characters.
        #expect(rules.problem(with: String(repeating: "e\u{301}", count: 14)) == .tooShort(14))
        #expect(PasswordRules.normalized(" a  b ") == " a  b ")
    }

    @Test("No sentence quotes the password")
    func silent() {
        for problem in [PasswordProblem.tooShort(3), .tooLong, .guessable] { #expect(problem.text.count > 20) }
    }
}

@Suite("The words of common passwords")
struct CommonPasswordsTests {
    private var words: [Substring] { CommonPasswords.text.description.split { $0 == " " || $0 == "\n" } }

    @Test("They stand in order, each once, and each of a length that is looked for")
    func sorted() {
        #expect(words.count == 9_623)
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(words.allSatisfy { CommonPasswords.lengths.contains($0.utf8.count) })
    }

    @Test("Each of them is found")
    func found() {
        #expect(words.filter { !CommonPasswords.contain(ArraySlice($0.utf8)) } == [])
    }

    @Test(
        "What is none of them is not found",
        arguments: [
            "", "a", "aaa", "zzzzzzzzzzzzzzzzzzzz", "okapi", "passwor", "password1", "assword ", "aardvark aaron",
            "pass word", "zzzz\n", "staple",
        ])
    func notFound(word: String) {
        #expect(!CommonPasswords.contain(ArraySlice(word.utf8)))
    }
}
