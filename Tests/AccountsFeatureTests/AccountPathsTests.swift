import AccountsFeature
import Testing

@Suite("Addresses of the pages of accounts")
struct AccountPathsTests {
    @Test("Signing in has the address that the README names")
    func signIn() {
        #expect(AccountPaths.signIn == "/login")
    }
}
