package import AviaryDomain
import Foundation

/// What a many-to-many field may be linked with.
package struct LinkChoices: Sendable {
    /// Up to so many are shown one by one; more are found by their names.
    package static let mostCheckboxes = 24

    /// Of what is shown, by id.
    let titles: [UUID: String]
    /// All there are, or the first to suggest.
    let options: [RecordChoice]
    /// Whether the options are all there are.
    let isComplete: Bool
    /// Whose records they are; nil where they cannot be searched.
    let model: ModelSchema?

    package init(shown: [RecordChoice], options: [RecordChoice], isComplete: Bool, of model: ModelSchema? = nil) {
        self.model = model
        titles = Dictionary((shown + options).map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
        self.options = options
        self.isComplete = isComplete
    }
}
