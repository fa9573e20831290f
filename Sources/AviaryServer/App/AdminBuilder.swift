/// Builds an ``Admin`` from the declarations in ``AviaryApp/admin``.
@resultBuilder
public enum AdminBuilder {
    public static func buildBlock(_ parts: any Admin...) -> AdminGroup {
        AdminGroup(registrations: parts.flatMap(\.registrations))
    }
}

/// Several declarations in their order.
public struct AdminGroup: Admin {
    public let registrations: [ModelRegistration]
}
