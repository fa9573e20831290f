import Testing

@testable import AviaryDomain

@Suite("Unique values of a file")
struct UniqueValuesTests {
    @Test("Each value is found with its first line, however many there are, and values of another property are not")
    func many() {
        var values = UniqueValues()
        for line in 1...20_000 {
            values.beginLine()
            #expect(values.firstLine(of: .text("c\(line)"), in: "code", at: line) == nil)
        }
        #expect(values.count == 20_000)
        for line in stride(from: 1, through: 20_000, by: 7) {
            values.beginLine()
            #expect(values.firstLine(of: .text("c\(line)"), in: "code", at: 20_001) == line)
            #expect(values.firstLine(of: [.text("c\(line)"), .integer(1)], in: ["code", "year"], at: line) == nil)
        }
    }

    @Test("A line that is left out gives its values back, and later lines keep theirs")
    func revoked() {
        var values = UniqueValues()
        for line in 1...20_000 {
            values.beginLine()
            #expect(values.firstLine(of: .integer(Int64(line)), in: "code", at: line) == nil)
            #expect(values.firstLine(of: .integer(Int64(line)), in: "other", at: line) == nil)
            if line % 3 > 0 { values.revokeLine() }
        }
        #expect(values.count == 2 * 6_666)
        for line in 1...20_000 {
            values.beginLine()
            let first = values.firstLine(of: .integer(Int64(line)), in: "code", at: 30_000)
            #expect(first == (line % 3 > 0 ? nil : line))
        }
    }

    @Test("Texts that are only the same when they are joined are different values")
    func joinedTexts() {
        var values = UniqueValues()
        values.beginLine()
        #expect(values.firstLine(of: [.text("ab"), .text("c")], in: ["first", "last"], at: 1) == nil)
        #expect(values.firstLine(of: [.text("a"), .text("bc")], in: ["first", "last"], at: 2) == nil)
        #expect(values.firstLine(of: [.text("abc"), .text("")], in: ["first", "last"], at: 3) == nil)
    }

    @Test("No value is compared with no value")
    func null() {
        var values = UniqueValues()
        for line in 1...2 {
            #expect(values.firstLine(of: .null, in: "code", at: line) == nil)
            #expect(values.firstLine(of: nil, in: "code", at: line) == nil)
            #expect(values.firstLine(of: [.text("a"), .null], in: ["a", "b"], at: line) == nil)
        }
        #expect(values.count == 0)
    }
}
