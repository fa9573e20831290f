import Testing

@testable import AviaryRuntime

@Suite("Supervisor deployment")
struct SupervisorDeploymentTests {
    private static let fits = CompatibilityResult.fits(.none, steps: [])

    @Test(
        "A program whose probe fails changes nothing",
        arguments: [
            CompatibilityResult.refused(reason: "\"Animal\" has lost a property"), .unusable(reason: "no answer"),
        ])
    func refused(compatibility: CompatibilityResult) {
        var world = World.serving()
        let before = world.processes
        world.send(.reload)
        #expect(world.processes == before)
        world.answer(compatibility)
        #expect(world.processes == before)
        #expect(world.state.deploy == nil)
        #expect(world.replacements(.store) == 0)
        // The supervisor's own program is kept; the refused one is released.
        #expect(world.forgotten == Set(world.asked))
        guard case .deployRefused = world.events.last else { Issue.record("not told"); return }
    }

    @Test(
        "A rolling deploy replaces the store first and then one worker at a time",
        arguments: [SchemaChangeKind.none, .additive])
    func rolling(change: SchemaChangeKind) {
        var world = World.serving()
        world.reload(.fits(change, steps: []))
        #expect(world.processes(.store).map(\.signals) == [[.drain]])
        #expect(world.ready.filter(\.role.isWorker).count == 2)
        world.letDrainingEnd()
        #expect(world.programs(.store) == [1])
        // Workers wait until the new store is ready, because it may not work.
        #expect(world.programs(.worker(0)) == [0])
        world.becomeReady(.store)
        for worker in [ManagedRole.worker(0), .worker(1)] {
            #expect(world.programs(worker) == [0, 1])
            #expect(world.processes(worker)[0].signals == [])
            world.becomeReady(worker)
            #expect(world.processes(worker)[0].signals == [.drain])
            if worker == .worker(0) { #expect(world.programs(.worker(1)) == [0]) }
            world.letDrainingEnd()
            #expect(world.programs(worker) == [1])
        }
        #expect(world.isServing)
        #expect([ManagedRole.store, .worker(0), .worker(1)].map(world.replacements) == [1, 1, 1])
        #expect([ManagedRole.store, .worker(0), .worker(1)].map(world.restarts) == [0, 0, 0])
        #expect(world.forgotten == [.own])
        #expect(world.violations == [])
    }

    @Test("An exclusive change ends all workers and then the store before it starts the new program")
    func exclusive() {
        var world = World.serving()
        world.reload(.fits(.exclusive, steps: ["rebuild"]))
        #expect(world.processes.filter(\.role.isWorker).allSatisfy { $0.signals == [.drain] })
        #expect(world.processes(.store).map(\.signals) == [[]])
        world.die(.worker(0), .exited(0))
        #expect(world.processes(.store).map(\.signals) == [[]])
        world.die(.worker(1), .exited(0))
        #expect(world.processes(.store).map(\.signals) == [[.drain]])
        world.letDrainingEnd()
        #expect(world.processes.map(\.role) == [.store])
        #expect(world.programs(.store) == [1])
        world.becomeReady(.store)
        #expect(world.processes.map(\.program.number) == [1, 1, 1])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.restarts(.store) + world.restarts(.worker(0)) + world.restarts(.worker(1)) == 0)
        #expect(world.violations == [])
    }

    @Test("A store that dies during an exclusive change restarts as the new program")
    func exclusiveWithDeath() {
        var world = World.serving()
        world.reload(.fits(.exclusive, steps: []))
        world.die(.store, after: .seconds(5))
        world.becomeReady(.store)
        #expect(world.starting.isEmpty)
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program.number == 1 })
        #expect(world.violations == [])
    }

    @Test("Repeated requests during a deploy cause exactly one further deploy")
    func again() {
        var world = World.serving()
        world.reload(Self.fits)
        for _ in 0..<7 { world.send(.reload) }
        #expect(world.asked.count == 1)
        world.letAllBecomeReady()
        #expect(world.asked.count == 2)
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program.number == 2 })
        #expect(world.replacements(.store) == 2)
    }

    @Test("A deploy that is requested before the server serves waits until then")
    func early() {
        var world = World(workers: 1)
        world.send(.reload)
        world.becomeReady(.store)
        #expect(world.asked.isEmpty)
        world.becomeReady(.worker(0))
        #expect(world.asked.count == 1)
        #expect(world.announcements == 1)
    }

    @Test(
        "A new store that dies five times is rolled back without affecting the workers",
        arguments: [SchemaChangeKind.none, .additive])
    func storeReturns(change: SchemaChangeKind) {
        var world = World.serving()
        let workers = world.processes.filter(\.role.isWorker)
        world.reload(.fits(change, steps: []))
        world.letDrainingEnd()
        for _ in 1...5 {
            #expect(world.programs(.store) == [1])
            world.die(.store, .exited(1))
            world.pass(.seconds(1))
        }
        #expect(world.programs(.store) == [0])
        world.becomeReady(.store)
        #expect(world.isServing)
        #expect(world.processes.filter(\.role.isWorker) == workers)
        #expect(!world.state.isDegraded)
        guard case .deployGivenUp(_, schemaChanged: false) = world.events.last else { Issue.record("not told"); return }
        #expect(world.violations == [])
    }

    @Test("A new worker that dies five times without a schema change is rolled back together with the store")
    func workerReturns() {
        var world = World.serving()
        let workers = world.processes.filter(\.role.isWorker)
        world.reload(Self.fits)
        world.letDrainingEnd()
        world.becomeReady(.store)
        for _ in 1...5 {
            #expect(world.programs(.worker(0)) == [0, 1])
            world.die(.worker(0), .killed(signal: 4))
            world.pass(.seconds(1))
        }
        #expect(world.processes(.store).map(\.signals) == [[.drain]])
        world.letDrainingEnd()
        #expect(world.programs(.store) == [0])
        world.becomeReady(.store)
        #expect(world.isServing)
        #expect(world.processes.filter(\.role.isWorker) == workers)
        #expect(world.restarts(.worker(0)) == 0)
        #expect(world.violations == [])
    }

    @Test("A failing second worker without a schema change also rolls back the first one")
    func secondWorkerReturns() {
        var world = World.serving()
        world.reload(Self.fits)
        world.letDrainingEnd()
        world.becomeReady(.store)
        world.becomeReady(.worker(0))
        world.letDrainingEnd()
        world.die(.worker(1), .exited(ProcessPlan.refusalExitCode))
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program == .own })
        #expect(world.violations == [])
    }

    @Test("A new worker that dies five times after an additive change leaves the new store and old workers")
    func workerFailsAfterAdditive() {
        var world = World.serving()
        let workers = world.processes.filter(\.role.isWorker)
        world.reload(.fits(.additive, steps: []))
        world.letDrainingEnd()
        world.becomeReady(.store)
        for _ in 1...5 {
            world.die(.worker(0), .killed(signal: 4))
            world.pass(.seconds(1))
        }
        #expect(world.programs(.store) == [1])
        #expect(world.processes.filter(\.role.isWorker) == workers)
        #expect(world.state.deploy == nil)
        guard case .deployGivenUp(_, schemaChanged: true) = world.events.last else { Issue.record("not told"); return }
        // The next deploy fixes this.
        world.reload(Self.fits)
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program.number == 2 })
        #expect(!world.state.isDegraded)
        #expect(world.violations == [])
    }

    @Test("A store that no program can start is retried every ten seconds and by the next deploy")
    func storeHalts() {
        var world = World.serving()
        world.reload(.fits(.additive, steps: []))
        world.letDrainingEnd()
        world.die(.store, .exited(ProcessPlan.refusalExitCode))
        #expect(world.programs(.store) == [0])
        for _ in 1...3 {
            world.die(.store, .exited(ProcessPlan.refusalExitCode))
            world.pass(.seconds(9))
            #expect(world.processes(.store).isEmpty)
            #expect(world.finish.isEmpty)
            #expect(world.ready.count == 2)
            world.pass(.seconds(1))
            #expect(world.programs(.store) == [0])
        }
        world.die(.store, .exited(ProcessPlan.refusalExitCode))
        world.reload(Self.fits)
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.violations == [])
    }

    @Test("An exclusive change whose own workers cannot read it ends the server with an error")
    func exclusiveFails() {
        var world = World.serving()
        world.reload(.fits(.exclusive, steps: []))
        world.letDrainingEnd()
        world.becomeReady(.store)
        world.die(.worker(0), .exited(ProcessPlan.refusalExitCode))
        world.letDrainingEnd()
        #expect(world.finish == [.refused(role: "worker 1")])
    }

    @Test("An exclusive change whose store never starts is rolled back")
    func exclusiveReturns() {
        var world = World.serving()
        world.reload(.fits(.exclusive, steps: []))
        world.letDrainingEnd()
        world.die(.store, .exited(ProcessPlan.refusalExitCode))
        #expect(world.programs(.store) == [0])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program == .own })
        #expect(world.violations == [])
    }

    @Test("An old worker that dies after an additive change restarts as the new program")
    func deathDuringRollout() {
        var world = World.serving()
        world.reload(.fits(.additive, steps: []))
        world.letDrainingEnd()
        world.die(.worker(1), after: .seconds(5))
        // Until the store is ready, it is not known which program fits the file.
        #expect(world.processes(.worker(1)).isEmpty)
        world.becomeReady(.store)
        #expect(world.programs(.worker(1)) == [1])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.restarts(.worker(1)) == 1)
        #expect(world.violations == [])
    }

    @Test("An old worker that dies while its successor starts counts as a restart and is not replaced again")
    func deathBesideSuccessor() throws {
        var world = World.serving(workers: 1)
        world.reload(Self.fits)
        world.letDrainingEnd()
        world.becomeReady(.store)
        let old = try #require(world.processes(.worker(0)).first)
        world.end(old.id, .killed(signal: 9))
        #expect(world.programs(.worker(0)) == [1])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.restarts(.worker(0)) == 1)
    }

    @Test("A restarted process uses the deployed program, even after a rejected deploy")
    func pinned() {
        var world = World.serving(workers: 1)
        world.reload(Self.fits)
        world.letAllBecomeReady()
        world.reload(.refused(reason: "no"))
        world.die(.worker(0), after: .seconds(5))
        world.die(.store, after: .seconds(5))
        #expect(world.processes.map(\.program.number) == [1, 1])
        #expect(world.violations == [])
    }

    @Test("A worker that does not drain in time is killed, and the deploy continues")
    func lateDrain() {
        var world = World.serving(workers: 1)
        world.reload(Self.fits)
        world.letDrainingEnd()
        world.becomeReady(.store)
        world.becomeReady(.worker(0))
        world.pass(.seconds(12))
        #expect(world.processes(.worker(0))[0].signals == [.drain, .kill])
        #expect(world.state.deploy != nil)
        world.letDrainingEnd()
        #expect(world.isServing)
    }
}
