import AviaryDesign
import Testing

@Suite("QR codes")
struct QRCodeTests {
    /// Codes that another program created with the same mask; each row is a hexadecimal number.
    private static let others = [
        "Zoo": """
        1fd87f 104841 17455d 17555d 17595d 105a41
        1fd57f 001300 117ef9 098f2a 1ec276 1c94d1
        1f69c2 0015c9 1fd186 10472b 175677 174f2b
        174e7c 1048d4 1fd1c5
        """,
        "otpauth://totp/Zoo:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Zoo&algorithm=SHA1&digits=6&period=30":
            """
        1fdc5d84797f 1044bcba3241 174ba85dfa5d 175de3e5835d 175ed1f3cf5d 1059371ef041
        1fd55555557f 0010c3125200 117be7f65ff9 03b11d55d364 0d4280d6c8de 10930b75a923
        08cc6624510c 03b2181e7b5c 0e5b594f841e 1c96bad47882 155dae9e9462 17953d96f97e
        06f1ff462b78 18bc3061bb80 13fb9df67bfb 1d13e11fdb1f 1355b55bb95a 111a9f181311
        0ffeebfc9ffa 09a86457e886 0d78e894e396 04bfe2c36ce3 1f707ea3117e 088e97a58be2
        1aec95c08e92 1da3346ef373 0c41ef361d79 1d2ffdddc9c5 015b9d0ffb96 0f1e388df088
        1370a7fa3dfa 001f6711f917 1fd35153ab5a 104c17125712 17534ff6b3f0 174ddbffc87e
        1749b4dc7896 10440fc9ba80 1fd2a5fcfd0d
        """,
    ]

    @Test(
        "A code matches that of another encoder, with one block and with several",
        arguments: others.keys)
    func equal(text: String) throws {
        let code = try #require(QRCode(text))
        let rows = try #require(Self.others[text]).split(whereSeparator: \.isWhitespace).map { UInt64($0, radix: 16) }
        #expect(code.size == rows.count)
        for (y, row) in rows.enumerated() {
            let mine = (0..<code.size).reduce(UInt64(0)) { $0 << 1 | (code.isDark($1, y) ? 1 : 0) }
            #expect(mine == row, "row \(y)")
        }
    }

    @Test("A code holds up to 666 bytes")
    func length() {
        #expect(QRCode(String(repeating: "x", count: 666)) != nil)
        #expect(QRCode(String(repeating: "x", count: 667)) == nil)
        #expect(QRCode("") != nil)
    }

    @Test("A code of every size has three finder patterns", arguments: (0..<20).map { $0 * 33 + 1 })
    func finders(count: Int) throws {
        let code = try #require(QRCode(String(repeating: "a", count: count)))
        for (x, y) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
            for step in 0..<7 {
                #expect(code.isDark(x + step, y) && code.isDark(x, y + step) && code.isDark(x + 6, y + step))
            }
            #expect(code.isDark(x + 3, y + 3) && !code.isDark(x + 1, y + 1))
        }
    }

    @Test("The picture draws each dark module once, with a quiet zone of four modules")
    func picture() throws {
        let code = try #require(QRCode("Zoo"))
        let markup = Markup(QRPicture(code))
        #expect(markup.first("svg")?["viewBox"] == "0 0 29 29")
        #expect(markup.first("svg")?["aria-hidden"] == "true")
        var drawn: Set<[Int]> = []
        for match in try #require(markup.first("path")?["d"]).matches(of: /M(\d+) (\d+)h(\d+)v1H(\d+)z/) {
            let (x, y, width) = (try #require(Int(match.1)), try #require(Int(match.2)), try #require(Int(match.3)))
            #expect(match.1 == match.4)
            for x in x..<(x + width) { #expect(drawn.insert([x - 4, y - 4]).inserted) }
        }
        let dark = (0..<code.size).flatMap { y in (0..<code.size).filter { code.isDark($0, y) }.map { [$0, y] } }
        #expect(drawn == Set(dark))
    }
}
