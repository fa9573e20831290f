/// A result builder that builds an ``Admin`` from the declarations in ``AviaryApp/admin``.
@resultBuilder
public enum AdminBuilder {
    /// Builds a group from the declarations.
    public static func buildBlock(_ parts: any Admin...) -> AdminGroup {
        AdminGroup(registrations: parts.flatMap(\.registrations))
    }
}

/// A sequence of declarations.
public struct AdminGroup: Admin {
    /// The models that the declarations register, in their order.
    public let registrations: [ModelRegistration]
}
