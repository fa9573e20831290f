import Testing

@testable import AviaryRuntime

@Suite("A fleet of processes takes over a new program")
struct SupervisorDeploymentTests {
    private static let fits = CompatibilityResult.fits(.none, steps: [])

    @Test(
        "The program is asked before anything is ended; what it refuses changes nothing",
        arguments: [
            CompatibilityResult.refused(reason: "\"Animal\" has lost a property"), .unusable(reason: "no answer"),
        ])
    func refused(judgement: CompatibilityResult) {
        var world = World.serving()
        let before = world.processes
        world.send(.reload)
        #expect(world.processes == before)
        world.answer(judgement)
        #expect(world.processes == before)
        #expect(world.fleet.deploy == nil)
        #expect(world.replacements(.store) == 0)
        // The supervisor's own program is kept; the refused one is released.
        #expect(world.forgotten == Set(world.asked))
        guard case .deployRefused = world.told.last else { Issue.record("not told"); return }
    }

    @Test(
        "The store first, and one worker at a time: the old one is told to end when the new one is ready, the next follows when it has ended",
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

    @Test(
        "A change that workers of the old program cannot read: all of them end first, then the store, and new workers follow the new store"
    )
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

    @Test("The old store dies while the workers of an exclusive change drain: no worker of the old program is started")
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

    @Test("However often a deploy is asked for during one, there is exactly one more after it")
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

    @Test("Asked for before the server serves, it waits until it does")
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
        "The new store dies five times: it goes back to the program before, the workers were never touched",
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
        #expect(!world.fleet.isDegraded)
        guard case .deployGivenUp(_, schemaChanged: false) = world.told.last else { Issue.record("not told"); return }
        #expect(world.violations == [])
    }

    @Test(
        "A new worker dies five times where the schema stayed: its place was never without a worker, and the store goes back"
    )
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

    @Test("The second worker of the new program fails where the schema stayed: the first one is replaced back as well")
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

    @Test("A new worker dies five times after the schema grew: the new store stays, and the old workers read on")
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
        #expect(world.fleet.deploy == nil)
        guard case .deployGivenUp(_, schemaChanged: true) = world.told.last else { Issue.record("not told"); return }
        // The next deploy fixes this.
        world.reload(Self.fits)
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.processes.allSatisfy { $0.program.number == 2 })
        #expect(!world.fleet.isDegraded)
        #expect(world.violations == [])
    }

    @Test(
        "A store that neither program can start is tried every ten seconds while workers read on, or by the next deploy"
    )
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

    @Test("After an exclusive change that its own workers cannot read nobody can serve: it ends with an error")
    func exclusiveFails() {
        var world = World.serving()
        world.reload(.fits(.exclusive, steps: []))
        world.letDrainingEnd()
        world.becomeReady(.store)
        world.die(.worker(0), .exited(ProcessPlan.refusalExitCode))
        world.letDrainingEnd()
        #expect(world.finish == [.refused(role: "worker 1")])
    }

    @Test("An exclusive change whose store never runs goes back, store and workers")
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

    @Test("An old worker that dies after the schema grew comes back as the new program, and counts as a restart")
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

    @Test("An old worker dies while its successor starts: no other one is started, and it counts as a restart")
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

    @Test("A program that served before is started from its own file, whatever was deployed or refused since")
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

    @Test("A worker that does not drain is killed, and the deploy goes on")
    func lateDrain() {
        var world = World.serving(workers: 1)
        world.reload(Self.fits)
        world.letDrainingEnd()
        world.becomeReady(.store)
        world.becomeReady(.worker(0))
        world.pass(.seconds(12))
        #expect(world.processes(.worker(0))[0].signals == [.drain, .kill])
        #expect(world.fleet.deploy != nil)
        world.letDrainingEnd()
        #expect(world.isServing)
    }
}
