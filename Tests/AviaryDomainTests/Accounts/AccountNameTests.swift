import AviaryDomain
import Testing

@Suite("The names of accounts")
struct AccountNameTests {
    @Test(
        "Letters, digits and a few signs, in either case",
        arguments: [("ada", "ada"), ("Ada.L-1_x@zoo.org+a", "ada.l-1_x@zoo.org+a"), ("news", "news"), ("7", "7")])
    func good(typed: String, name: String) {
        #expect(AccountName(typed)?.text == name)
    }

    @Test(
        "Nothing that could be taken for another name, or for markup",
        arguments: [
            "", "a b", "аdа", "ada\u{301}", "ada/..", "<ada>", "ada\n", "ada\u{200B}",
            String(repeating: "a", count: 65),
            // Such a name would be another address below /admin/accounts, and an option on a command line.
            ".", "..", "-a", "_a", "new", "New",
        ])
    func bad(typed: String) {
        #expect(AccountName(typed) == nil)
    }
}
