import Foundation
import Testing

@testable import AviaryDomain
@testable import BrowseFeature

@Suite("Descriptions of filters")
struct FilterFormatterTests {
    private let mammals = UUID.version7()

    private func sentence(_ setting: FilterSetting) -> String {
        FilterFormatter(configuration: FilterAddressTests.configuration, titles: ["category": [mammals: "Mammals"]])
            .sentence(setting)
    }

    @Test("Choices, Boolean values and relations are described by name")
    func names() {
        #expect(sentence(FilterSetting("diet", values: [.text("herbivorous")])) == "Diet: Herbivorous")
        #expect(
            sentence(FilterSetting("diet", values: [.text("herbivorous"), .text("carnivorous")]))
                == "Diet: Herbivorous or Carnivorous")
        #expect(sentence(FilterSetting("isTame", values: [.integer(1)])) == "Is tame: Yes")
        #expect(
            sentence(FilterSetting("category", values: [mammals.fieldValue], isEmpty: true))
                == "Category: Mammals or no value")
        #expect(sentence(FilterSetting("category", isEmpty: false)) == "Category: has a value")
    }

    @Test("A deleted record has no name")
    func gone() {
        #expect(
            sentence(FilterSetting("category", values: [UUID.version7().fieldValue])) == "Category: a deleted record")
    }

    @Test("A range is described by its bounds")
    func ranges() {
        #expect(sentence(FilterSetting("legs", lower: .integer(2), upper: .integer(12_000))) == "Legs: 2 to 12,000")
        #expect(sentence(FilterSetting("price", lower: .integer(950))) == "Price: from 9.50")
        #expect(sentence(FilterSetting("born", upper: .text("2026-02-03"))) == "Born: up to 3 Feb 2026")
        #expect(
            sentence(FilterSetting("seen", lower: .text("2026-02-03"), upper: .text("2026-02-03")))
                == "Seen: 3 Feb 2026")
    }

    @Test("A long list of values is described by the first values and the number of the others")
    func many() {
        let ids = (0..<7).map { _ in UUID.version7().fieldValue }
        #expect(sentence(FilterSetting("category", values: ids)).hasSuffix("or 3 more"))
    }
}
