import AviaryDomain
import Testing

@testable import AviaryData

@Suite("How a narrowed list is read")
struct ListPlanTests {
    @Test("Few matches are collected and sorted, many are met on a walk through the list")
    func single() {
        #expect(ListPlan(found: [900], total: 1_000_000, size: 50).way == .collect(0))
        #expect(ListPlan(found: [9_000], total: 1_000_000, size: 50).way == .walk)
        #expect(ListPlan(found: [10_001], total: 1_000_000, size: 50).way == .walk)
        #expect(ListPlan(found: [nil], total: 1_000_000, size: 50).way == .walk)
    }

    @Test("Of several conditions, the one that finds the fewest leads")
    func several() {
        #expect(ListPlan(found: [10_001, 40, 7_000, nil], total: 1_000_000, size: 50).way == .collect(1))
        #expect(ListPlan(found: [10_001, nil], total: 1_000_000, size: 50).way == .walk)
    }

    @Test("Where a walk does not come to its end, an index leads: that of the fewest, else the first")
    func leader() {
        #expect(ListPlan(found: [5_162], total: 336_776, size: 50).leader == 0)
        #expect(ListPlan(found: [5_162], total: 336_776, size: 50).way == .walk)
        #expect(ListPlan(found: [nil, 10_001, 7_000], total: 1_000_000, size: 50).leader == 2)
        #expect(ListPlan(found: [nil, 10_001], total: 1_000_000, size: 50).leader == 1)
        #expect(ListPlan(found: [nil], total: 1_000_000, size: 50).leader == nil)
    }

    @Test("One condition's index has counted the matches; of several it is known only that there are none")
    func matches() {
        #expect(ListPlan(found: [7], total: 100, size: 50).matches == .exactly(7))
        #expect(ListPlan(found: [10_001], total: 100_000, size: 50).matches == .atLeast(10_000))
        #expect(ListPlan(found: [7, 9], total: 100, size: 50).matches == nil)
        #expect(ListPlan(found: [7, 0], total: 100, size: 50).matches == .exactly(0))
        #expect(ListPlan(found: [nil], total: 100, size: 50).matches == nil)
    }
}
