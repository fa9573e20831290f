/// The result of a search among the titles of records.
package struct ChoiceMatches: Sendable, Hashable {
    package let choices: [RecordChoice]
    /// A Boolean value that indicates whether all records were searched, or the requested number was found.
    ///
    /// Otherwise further records may match, even when none was found.
    package let isComplete: Bool

    package init(choices: [RecordChoice], isComplete: Bool) {
        self.choices = choices
        self.isComplete = isComplete
    }
}
