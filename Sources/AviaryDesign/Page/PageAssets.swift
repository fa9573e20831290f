/// Where a page finds its style sheet, script and icon; local addresses.
package struct PageAssets: Sendable {
    let stylesheet: String
    let script: String
    let icon: String

    package init(stylesheet: String, script: String, icon: String) {
        self.stylesheet = stylesheet
        self.script = script
        self.icon = icon
    }
}
