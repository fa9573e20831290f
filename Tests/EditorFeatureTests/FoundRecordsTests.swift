import AviaryDomain
import EditorFeature
import Foundation
import Testing

@Suite("What a search beside a field says it found")
struct FoundRecordsTests {
    private func words(_ count: Int, isComplete: Bool = true) -> String {
        let choices = (0..<count).map { RecordChoice(id: .version7(), title: "Kea \($0)") }
        return FoundRecords(text: "ke", matches: ChoiceMatches(choices: choices, isComplete: isComplete)).words(
            animalSchema)
    }

    @Test("All there are, or that there are more")
    func found() {
        #expect(words(1) == "1 animal matches “ke”.")
        #expect(words(3) == "3 animals match “ke”.")
        #expect(words(21) == "The first 20 that match “ke”. Type more to find others.")
        #expect(words(0) == "No animal matches “ke”. Try another part of its name.")
    }

    @Test("A search that was stopped does not say that nothing matches, nor that this is all")
    func stopped() {
        #expect(words(0, isComplete: false).hasPrefix("Not all animals could be looked through in time"))
        #expect(words(3, isComplete: false) == "The first 3 that match “ke”. Type more to find others.")
    }
}
