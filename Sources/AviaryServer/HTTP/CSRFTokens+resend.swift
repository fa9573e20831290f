import AviaryDesign
import AviaryDomain
import HTTPTypes
import Hummingbird

extension CSRFTokens {
    /// What a sheet has sent, to be sent once more by whoever sees it: nothing that was typed is lost with a session. Nil for
    /// what is no sheet, and for what does not say that it comes from our own pages: another site must not fill in forms here.
    func resend(_ request: Request, _ context: AdminRequestContext) -> ErrorPage.Resend? {
        guard request.method == .post, request.fetchSite == "same-origin", !request.wantsJSON,
              AccessMiddleware.draftPaths.contains(context.route), let path = LocalPath(request.uri.path)
        else { return nil }
        return ErrorPage.Resend(
            action: path.text, csrf: token(for: context.session),
            fields: context.form.filter { $0.name != "csrf" }.map { ($0.name, $0.value) }
        )
    }
}

extension Request {
    /// Where the request comes from, as browsers say.
    var fetchSite: String? { HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] } }
}
