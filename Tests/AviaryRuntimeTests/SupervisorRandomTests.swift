import TestSupport
import Testing

@testable import AviaryRuntime

@Suite("Supervisor under random events")
struct SupervisorRandomTests {
    private static let seed = TestSeed.value

    @Test("Random events never cause two stores, a start during shutdown or a leftover process")
    func anything() {
        let seed = Self.seed
        for run in 0..<(Explore.isOn ? 400 : 150) {
            var generator = SeededGenerator(seed: seed &+ UInt64(run))
            var world = World(workers: Int.random(in: 1...3, using: &generator))
            for _ in 0..<Int.random(in: 1...120, using: &generator) where world.finish.isEmpty {
                Self.step(&world, &generator)
                if !world.violations.isEmpty { break }
            }
            if world.finish.isEmpty, Bool.random(using: &generator) {
                world.send(.end(Bool.random(using: &generator) ? .draining : .atOnce))
            }
            world.startFailures = []
            world.letAllBecomeReady()
            #expect(world.violations == [], "AVIARY_SEED=\(seed &+ UInt64(run))")
            if world.state.ending != nil {
                #expect(world.finish.count == 1 && world.processes.isEmpty, "AVIARY_SEED=\(seed &+ UInt64(run))")
            } else {
                // After a deploy was given up, a slot may wait for the next one.
                #expect(world.isServing || world.state.isDegraded, "AVIARY_SEED=\(seed &+ UInt64(run))")
                world.reload(.fits(.none, steps: []))
                world.letAllBecomeReady()
                #expect(world.isServing && world.violations == [], "AVIARY_SEED=\(seed &+ UInt64(run))")
            }
        }
    }

    @Test("A role's restart count equals its number of unplanned deaths")
    func restarts() {
        let seed = Self.seed
        for run in 0..<(Explore.isOn ? 150 : 60) {
            var generator = SeededGenerator(seed: seed &+ UInt64(run))
            var world = World.serving(workers: 2)
            var deaths: [ManagedRole: Int] = [:]
            for _ in 0..<40 {
                switch Int.random(in: 0...5, using: &generator) {
                case 0: if world.state.deploy == nil { world.reload(.fits(.none, steps: [])) }
                case 1:
                    guard let process = world.ready.randomElement(using: &generator) else { break }
                    deaths[process.role, default: 0] += 1
                    world.end(process.id, .killed(signal: 9))
                case 2: world.letDrainingEnd()
                default: world.letAllBecomeReady()
                }
            }
            world.letAllBecomeReady()
            #expect(world.isServing, "AVIARY_SEED=\(seed &+ UInt64(run))")
            for role in world.state.roles {
                #expect(world.restarts(role) == deaths[role, default: 0], "\(role) AVIARY_SEED=\(seed &+ UInt64(run))")
            }
        }
    }

    @Test("A deploy without deaths and exclusive changes keeps as many workers ready as before")
    func capacity() {
        let seed = Self.seed
        for run in 0..<(Explore.isOn ? 150 : 60) {
            var generator = SeededGenerator(seed: seed &+ UInt64(run))
            let workers = Int.random(in: 1...4, using: &generator)
            var world = World.serving(workers: workers)
            world.reload(.fits(Bool.random(using: &generator) ? .none : .additive, steps: []))
            while world.state.deploy != nil {
                if let process = world.processes.filter({ !$0.signals.isEmpty }).randomElement(using: &generator) {
                    world.end(process.id, .exited(0))
                } else if let process = world.starting.randomElement(using: &generator) {
                    world.send(.ready(process.id))
                } else {
                    Issue.record("it does not go on, AVIARY_SEED=\(seed &+ UInt64(run))")
                    break
                }
                #expect(world.ready.filter { $0.role.isWorker }.count >= workers, "AVIARY_SEED=\(seed &+ UInt64(run))")
            }
            #expect(world.isServing, "AVIARY_SEED=\(seed &+ UInt64(run))")
        }
    }

    private static func step(_ world: inout World, _ generator: inout SeededGenerator) {
        switch Int.random(in: 0...14, using: &generator) {
        case 0...4:
            if let process = world.starting.randomElement(using: &generator) { world.send(.ready(process.id)) }
        case 5...6:
            if let process = world.processes.filter({ !$0.signals.isEmpty }).randomElement(using: &generator) {
                world.end(process.id, .exited(0))
            }
        case 7:
            if let process = world.processes.randomElement(using: &generator) {
                let ends: [ProcessTermination] = [
                    .killed(signal: 9), .exited(1), .exited(ProcessPlan.refusalExitCode),
                    .exited(ProcessPlan.postponementExitCode),
                ]
                world.end(process.id, ends.randomElement(using: &generator) ?? .exited(1))
            }
        case 8:
            if let process = world.starting.randomElement(using: &generator) { world.end(process.id, .exited(1)) }
        case 9...10:
            if let timer = world.timers.randomElement(using: &generator) { world.expire(timer.id) }
        case 11: world.send(.reload)
        case 12: world.startFailures = [.noRoom(reason: "none")]
        case 13:
            let changes: [SchemaChangeKind] = [.none, .additive, .exclusive]
            world.answer(.fits(changes.randomElement(using: &generator) ?? .none, steps: []))
        default:
            if Int.random(in: 0...3, using: &generator) == 0 {
                world.answer(.refused(reason: "no"))
            } else {
                world.pass(.milliseconds(Int.random(in: 0...5000, using: &generator)))
            }
        }
    }
}
