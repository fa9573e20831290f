import AviaryDesign
import AviaryDomain
import HTTPTypes
import Hummingbird

extension CSRFTokens {
    /// What a sheet has sent, to be sent once more by whoever sees it: nothing that was typed is lost with a session. Nil for
    /// what is no sheet, and for what does not say that it comes from our own pages: another site must not fill in forms here.
    func resend(_ request: Request, _ context: AdminRequestContext) -> ErrorPage.Resend? {
        guard isSheet(request, context), !request.wantsJSON, let path = LocalPath(request.uri.path) else { return nil }
        return ErrorPage.Resend(
            action: path.text, csrf: token(for: context.session),
            fields: context.form.filter { $0.name != "csrf" }.map { ($0.name, $0.value) }
        )
    }

    /// Why a form without a token of this session is refused.
    func refusal(_ request: Request, _ context: AdminRequestContext) -> RequestRefusal {
        let isSignedIn = context.session.principal != nil
        if let form = resend(request, context) { return isSignedIn ? .stale(form) : .signedOut(form) }
        // Save is no request of a script's: it brings the text back.
        return isSignedIn && isSheet(request, context) && context.route == AccessMiddleware.draftPath
            ? .staleDraft : .forbidden
    }

    private func isSheet(_ request: Request, _ context: AdminRequestContext) -> Bool {
        request.method == .post && request.fetchSite == "same-origin"
            && AccessMiddleware.draftPaths.contains(context.route)
    }
}

extension Request {
    /// Where the request comes from, as browsers say.
    var fetchSite: String? { HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] } }
}
