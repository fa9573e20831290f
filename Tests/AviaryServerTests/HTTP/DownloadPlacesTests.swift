import Foundation
import Testing

@testable import AviaryServer

@Suite("So many files are sent at a time, and each account has its share")
struct DownloadPlacesTests {
    @Test("An account that has its share waits for its own, and others do not")
    func account() {
        let places = DownloadPlaces(most: 10, ofAccount: 2), ada = UUID()
        var held = [places.take(for: ada), places.take(for: ada)]
        #expect(held.allSatisfy { $0 != nil } && places.take(for: ada) == nil)
        #expect(places.take(for: UUID()) != nil)
        held.removeLast()
        #expect(places.take(for: ada) != nil, "a place that nobody holds is free")
        withExtendedLifetime(held) {}
    }

    @Test("All together have a bound, too")
    func all() {
        let places = DownloadPlaces(most: 2, ofAccount: 2)
        let held = [places.take(for: UUID()), places.take(for: UUID())]
        #expect(held.allSatisfy { $0 != nil } && places.take(for: UUID()) == nil)
        withExtendedLifetime(held) {}
    }
}
