import Testing

@testable import AviaryRuntime

@Suite("Supervisor with a late store")
struct SupervisorLateStoreTests {
    private static let fits = CompatibilityResult.fits(.none, steps: [])

    @Test("A new store without a schema change that is not ready after a minute is rolled back")
    func hangingStore() {
        var world = World.serving()
        let workers = world.processes.filter(\.role.isWorker)
        world.reload(Self.fits)
        world.letDrainingEnd()
        world.pass(.seconds(59))
        #expect(world.processes(.store).map(\.signals) == [[]])
        world.pass(.seconds(1))
        #expect(world.processes(.store).map(\.signals) == [[.drain]])
        world.pass(.seconds(12))
        #expect(world.processes(.store).map(\.signals) == [[.drain, .kill]])
        world.letDrainingEnd()
        #expect(world.programs(.store) == [0])
        world.becomeReady(.store)
        #expect(world.isServing)
        #expect(world.processes.filter(\.role.isWorker) == workers)
        #expect(world.violations == [])
    }

    @Test(
        "A new store that may be migrating is awaited until the next deploy request",
        arguments: [SchemaChangeKind.additive, .exclusive])
    func slowStore(change: SchemaChangeKind) {
        var world = World.serving()
        world.reload(.fits(change, steps: []))
        world.letDrainingEnd()
        world.pass(.seconds(30))
        // This request is too early to give up the late store.
        world.send(.reload)
        #expect(world.processes(.store).map(\.signals) == [[]])
        world.pass(.seconds(3600))
        let events = world.events.filter { if case .waiting(.store, pid: _?) = $0 { true } else { false } }
        #expect(events.count == 60)
        world.send(.reload)
        #expect(world.processes(.store).map(\.signals) == [[.drain]])
        world.letDrainingEnd()
        #expect(world.programs(.store) == [0])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program.number == 2 })
        #expect(world.violations == [])
    }

    @Test("A rollback whose store is late is also ended by the next deploy request")
    func slowReturn() {
        var world = World.serving()
        world.reload(Self.fits)
        world.letDrainingEnd()
        world.die(.store, .exited(ProcessPlan.refusalExitCode))
        #expect(world.programs(.store) == [0])
        world.pass(.seconds(61))
        #expect(world.processes(.store).map(\.signals) == [[]])
        world.send(.reload)
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program.number == 2 })
        #expect(world.violations == [])
    }

    @Test("A halted store that recovers serves again without a deploy")
    func haltEnds() {
        var world = World.serving()
        world.reload(.fits(.additive, steps: []))
        world.letDrainingEnd()
        world.die(.store, .exited(ProcessPlan.refusalExitCode))
        world.die(.store, .exited(ProcessPlan.refusalExitCode))
        world.pass(.seconds(10))
        world.becomeReady(.store)
        #expect(world.isServing)
        #expect(world.violations == [])
    }

    @Test(
        "A new store that cannot start yet is awaited while old workers read",
        arguments: [SchemaChangeKind.none, .additive])
    func postponed(change: SchemaChangeKind) {
        var world = World.serving()
        world.reload(.fits(change, steps: []))
        world.letDrainingEnd()
        for _ in 1...10 {
            world.die(.store, .exited(ProcessPlan.postponementExitCode))
            world.pass(.seconds(2))
        }
        #expect(world.programs(.store) == [1])
        #expect(world.ready.count == 2)
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program.number == 1 })
        #expect(world.violations == [])
    }

    @Test("An exclusive change whose store cannot start yet is rolled back, and the old workers read")
    func exclusivePostponed() {
        var world = World.serving()
        world.reload(.fits(.exclusive, steps: []))
        world.letDrainingEnd()
        world.die(.store, .exited(ProcessPlan.postponementExitCode))
        #expect(world.programs(.store) == [0])
        for _ in 1...10 {
            world.die(.store, .exited(ProcessPlan.postponementExitCode))
            world.pass(.seconds(2))
        }
        for worker in [ManagedRole.worker(0), .worker(1)] {
            #expect(world.programs(worker) == [0])
            world.becomeReady(worker)
        }
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program == .own })
        #expect(world.violations == [])
    }
}
