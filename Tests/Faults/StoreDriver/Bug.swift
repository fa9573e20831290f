import ArgumentParser

/// What a store must not do. Planted to show that the tests find it.
enum Bug: String, ExpressibleByArgument {
    /// Says "stored" before it is.
    case acknowledgeEarly = "acknowledge-early"
}
