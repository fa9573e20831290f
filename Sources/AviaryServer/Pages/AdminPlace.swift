/// Where in the admin a page is, for its navigation.
enum AdminPlace: Sendable, Hashable {
    case overview
    /// A list, by its model's name.
    case model(String)
    case activity
    case backups
    case accounts
    case ownAccount
    /// The gallery of components, which stands in no navigation.
    case design
}
