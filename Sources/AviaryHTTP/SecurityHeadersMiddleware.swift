import HTTPTypes
package import Hummingbird

/// A middleware that adds the security headers to every answer, errors included.
package struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Indicates whether browsers connect with TLS. Browsers then require it for a year (HSTS).
    var isSecure = false

    package init(isSecure: Bool = false) {
        self.isSecure = isSecure
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in SecurityHeaders.fields {
            response.headers[name] = value
        }
        if let name = SecurityHeaders.permissionsPolicy, response.headers[.contentType]?.hasPrefix("text/html") == true
        {
            response.headers[name] = SecurityHeaders.refusedPermissions
        }
        if isSecure, let name = SecurityHeaders.strictTransportSecurity {
            response.headers[name] = "max-age=31536000"
        }
        // An answer without a cache header may contain private data.
        if !response.headers.contains(.cacheControl) {
            response.headers[.cacheControl] = "no-store"
        }
        return response
    }
}

/// The names and values of the security headers.
enum SecurityHeaders {
    fileprivate static let strictTransportSecurity = HTTPField.Name("Strict-Transport-Security")
    /// The headers that do not depend on how the server is reached.
    static let fields: [(HTTPField.Name, String)] =
        [
            (
                .contentSecurityPolicy,
                "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            ),
            (.xContentTypeOptions, "nosniff"),
        ]
        + [
            ("Referrer-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("X-Frame-Options", "DENY"),
        ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }

    /// The permissions that a page rejects. Browsers read them only with documents.
    fileprivate static let permissionsPolicy = HTTPField.Name("Permissions-Policy")
    fileprivate static let refusedPermissions =
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), screen-wake-lock=(), usb=()"
}
