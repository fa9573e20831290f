import Testing

@testable import AviaryRuntime

@Suite("A fleet waits for a new store that is late, and leaves it when it has to")
struct SupervisorLateStoreTests {
    private static let fits = CompatibilityResult.fits(.none, steps: [])

    @Test("A new store that changes nothing and is not ready after a minute is given up: the one before comes back")
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
        "A new store that may be changing the file is waited for, which is told every minute; then SIGHUP gives it up and deploys what is there by now",
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
        let told = world.told.filter { if case .waiting(.store, pid: _?) = $0 { true } else { false } }
        #expect(told.count == 60)
        world.send(.reload)
        #expect(world.processes(.store).map(\.signals) == [[.drain]])
        world.letDrainingEnd()
        #expect(world.programs(.store) == [0])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program.number == 2 })
        #expect(world.violations == [])
    }

    @Test("A way back whose store does not come either is left by SIGHUP, too")
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

    @Test("What stayed away and was mended serves again without a deploy")
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
        "A new store that cannot start yet is waited for while old workers read on",
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

    @Test(
        "A new store that cannot start yet is not waited for where all workers have ended: those before it read on, store or no store"
    )
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
