import AviaryDomain
import Hummingbird

/// Where a browser is told in which language to be answered. For everyone: also the form for signing in is read.
struct LanguageRoutes: Sendable {
    let choice: LanguageChoice

    func add(to router: Router<AdminRequestContext>) {
        router.post("/language") { [choice] _, context in
            guard let language = context.form.value("language").flatMap({ choice.languages[code: $0] }) else {
                throw RequestRefusal.malformedForm
            }
            let path = context.form.value("return").flatMap { LocalPath($0) }
            var response = Response.seeOther(path?.text ?? ModelPaths.admin)
            response.setCookie(choice.keep(language))
            return response
        }
    }
}
