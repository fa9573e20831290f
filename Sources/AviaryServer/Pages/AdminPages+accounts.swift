import AccountsFeature
import AviaryDesign
import AviaryDomain
import HTTPTypes
import Hummingbird

extension AdminPages {
    /// A page of accounts, with the status of what became of its form.
    func page(
        _ view: some Component, title: String, at place: AdminPlace, _ outcome: AccountOutcome, csrf: String,
        context: AdminRequestContext
    ) async throws -> Response {
        if outcome == .signedOut { throw RequestRefusal.signedOut }
        var response = await page(
            title: title, at: place, principal: try context.principal, csrf: csrf, status: outcome.status
        ) { $0.render(view) }
        if let seconds = outcome.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}

extension AccountOutcome {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .done: .ok
        case .refused: .unprocessableContent
        case .conflict: .conflict
        case .wait: .tooManyRequests
        case .signedOut: .unauthorized
        case .unavailable: .serviceUnavailable
        }
    }

    fileprivate var retryAfter: Int? {
        switch self {
        case .wait(let seconds): seconds
        case .unavailable: 2
        case .done, .refused, .conflict, .signedOut: nil
        }
    }
}
