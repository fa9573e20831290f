import AviaryDomain
import Testing

@Suite("Account names")
struct AccountNameTests {
    @Test(
        "An account name holds letters, digits and a few signs, and is stored in lower case",
        arguments: [("ada", "ada"), ("Ada.L-1_x@zoo.org+a", "ada.l-1_x@zoo.org+a"), ("news", "news"), ("7", "7")])
    func good(typed: String, name: String) {
        #expect(AccountName(typed)?.text == name)
    }

    @Test(
        "An account name rejects text that resembles another name, an address or markup",
        arguments: [
            "", "a b", "аdа", "ada\u{301}", "ada/..", "<ada>", "ada\n", "ada\u{200B}",
            String(repeating: "a", count: 65),
            // These names would collide with addresses below /admin/accounts or with command-line options.
            ".", "..", "-a", "_a", "new", "New",
        ])
    func bad(typed: String) {
        #expect(AccountName(typed) == nil)
    }
}
