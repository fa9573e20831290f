import HTTPTypes
import Hummingbird

/// A fake sign-in page in front of a fake admin in memory.
actor FakeEntrance {
    enum Kind: Sendable {
        /// An entrance that accepts the correct credentials and the link.
        case honest
        /// An entrance whose account may read the list and add nothing.
        case honestToAViewer
        /// An entrance that ends the session after a number of forms.
        case endsSessions(after: Int)
        case refuses
        case leadsBack
        case asksForSecondFactor
        case throttles
        case fails
        case hasNoForm
    }

    static let user = "ada", password = "tea & biscuits at 4?", link = "/login?link=0123abcd"
    private static let csrf = "a token", anonymous = "fake=nobody", signedIn = "fake=ada"

    private let kind: Kind
    private let admin = FakeAdmin(nil)
    private var formsLeft: Int
    /// The number of requests to the admin without a valid session.
    private(set) var strangers = 0

    init(_ kind: Kind) {
        self.kind = kind
        formsLeft = if case .endsSessions(let count) = kind { count } else { .max }
    }

    /// Serves requests while `body` runs.
    nonisolated func serve<Value: Sendable>(_ body: @escaping @Sendable (_ origin: String) async throws -> Value)
        async throws -> Value
    {
        let router = Router()
        router.get("/login") { request, _ in await self.page(request) }
        router.post("/login") { request, _ in await self.signIn(request, form: try await request.decodedForm) }
        for path in ["/admin/animals", "/admin/animals/**", "/admin/undo/**"] as [RouterPath] {
            router.on(path, method: .get) { request, _ in try await self.pass(request) }
            router.on(path, method: .post) { request, _ in try await self.pass(request) }
        }
        return try await serving(router, body)
    }

    private func page(_ request: Request) -> Response {
        guard case .hasNoForm = kind else {
            let fields =
                request.uri.query == nil
                ? "<input type=\"text\" name=\"username\" value=\"\"><input type=\"password\" name=\"password\">"
                : "<input type=\"hidden\" name=\"link\" value=\"0123abcd\"><input type=\"password\" name=\"password\"><input type=\"password\" name=\"repeated\">"
            return Response(
                status: 200,
                page: """
                    <form method="get" action="/search"><input name="q"></form>
                    <form method="post" action="/login"><input type="hidden" name="csrf" value="\(Self.csrf)">\(fields)<button>Sign in</button></form>
                    """, headers: [.setCookie: Self.anonymous + "; Path=/; HttpOnly"])
        }
        return Response(status: 200, page: "<p>Welcome.</p>")
    }

    private func signIn(_ request: Request, form: [String: String]) -> Response {
        guard form["csrf"] == Self.csrf, request.headers[.cookie] == Self.anonymous else {
            return Response(status: 403, page: "")
        }
        let knows =
            form["link"] == "0123abcd" && form["password"]?.isEmpty == false && form["password"] == form["repeated"]
            || form["username"] == Self.user && form["password"] == Self.password
        switch kind {
        case .honest, .honestToAViewer, .endsSessions:
            guard knows else { return Response(status: 422, page: "Wrong name or password.") }
            return Response(
                status: 303, page: "", headers: [.location: "/admin", .setCookie: Self.signedIn + "; Path=/; HttpOnly"])
        case .leadsBack: return Response(status: 303, page: "", headers: [.location: "/login?next=%2Fadmin"])
        case .asksForSecondFactor:
            return Response(status: 200, page: "<form method=\"post\" action=\"/login\"><input name=\"code\"></form>")
        case .throttles: return Response(status: 429, page: "")
        case .fails: return Response(status: 503, page: "")
        case .refuses, .hasNoForm: return Response(status: 422, page: "")
        }
    }

    private func pass(_ request: Request) async throws -> Response {
        if request.method == .post { formsLeft -= 1 }
        guard request.headers[.cookie] == Self.signedIn, formsLeft >= 0 || request.method == .get else {
            strangers += 1
            return Response(status: 303, page: "", headers: [.location: "/login?next=%2Fadmin"])
        }
        if case .honestToAViewer = kind, request.uri.path.hasSuffix("/new") { return Response(status: 403, page: "") }
        return try await admin.respond(request)
    }
}
