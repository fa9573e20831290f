/// What a script may say of a value before the server does. It keeps nobody from saving.
package struct Courtesy: Sendable {
    let advice: String
    /// In characters.
    let longest: Int?
    let least: String?
    let most: String?
    let pattern: String?

    package init(advice: String, longest: Int? = nil, least: String? = nil, most: String? = nil, pattern: String? = nil)
    {
        self.advice = advice
        self.longest = longest
        self.least = least
        self.most = most
        self.pattern = pattern
    }
}
