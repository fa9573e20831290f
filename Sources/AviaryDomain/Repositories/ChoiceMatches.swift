/// What a search among the titles of records found.
package struct ChoiceMatches: Sendable, Hashable {
    package let choices: [RecordChoice]
    /// Whether all records were looked at, or as many found as were asked for. Else others may match, even where none was found.
    package let isComplete: Bool

    package init(choices: [RecordChoice], isComplete: Bool) {
        self.choices = choices
        self.isComplete = isComplete
    }
}
