import AviaryLocalization

/// A browser in words, from what it says it is: `Firefox on Windows`. A hint for its owner and no more: anything can be said.
enum BrowserWords {
    /// The first that fits counts: most claim to be several.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Vivaldi/", "Vivaldi"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"), ("Version/", "Safari"), ("Safari/", "Safari"),
    ]
    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "an iPhone"), ("iPad", "an iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
        ("Windows", "Windows"),
        ("Macintosh", "a Mac"), ("Linux", "Linux"), ("X11", "Unix"),
    ]

    static func text(_ userAgent: String) -> String {
        let isBrowser = userAgent.hasPrefix("Mozilla/")
        guard isBrowser, let browser = browsers.first(where: { userAgent.contains($0.mark) }) else {
            let program = userAgent.prefix { $0 != "/" && $0 != " " }.prefix(40)
            return isBrowser || program.isEmpty ? localized("A browser that does not say which") : String(program)
        }
        let system = systems.first { userAgent.contains($0.mark) }
        return system.map { localized("\(browser.name) on \($0.name.translated)") } ?? browser.name
    }
}
