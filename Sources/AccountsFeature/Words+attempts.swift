import AviaryDomain

extension Words {
    /// - Parameter seconds: Until one may try again.
    static func tooManyAttempts(_ seconds: Int) -> String {
        localized(
            seconds, one: "There were too many attempts. Wait a second, then try again.",
            other: "There were too many attempts. Wait \(seconds) seconds, then try again."
        )
    }
}
