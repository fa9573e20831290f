package import AviaryDomain

/// What became of a Save.
package enum SaveOutcome: Sendable, Hashable {
    /// On disk; the editor closes.
    case saved(Receipt)
    /// Something typed has to be mended; the editor stays open and says what.
    case invalid
    /// Something happened meanwhile: the record was changed or deleted, or this was saved before. The editor stays
    /// open and says what.
    case conflict
    /// The store takes no changes now; the same form can be sent again.
    case unavailable
    /// The store has no room for it.
    case outOfSpace
}
