import Testing

@testable import AviaryRuntime

@Suite("Supervisor lifecycle")
struct SupervisorLifecycleTests {
    @Test("The store and the workers start together, and the server is announced once when all are ready")
    func start() {
        var world = World(workers: 2)
        #expect(world.processes.map(\.role) == [.store, .worker(0), .worker(1)])
        world.becomeReady(.store)
        #expect(world.processes.map(\.role) == [.store, .worker(0), .worker(1)])
        world.becomeReady(.worker(0))
        #expect(world.announcements == 0)
        world.becomeReady(.worker(1))
        #expect(world.announcements == 1)
        world.die(.worker(1), after: .seconds(5))
        world.becomeReady(.worker(1))
        #expect(world.announcements == 1)
        #expect(world.violations == [])
    }

    @Test("The time of the first workers begins when the store is ready, for which they wait")
    func firstWorkers() {
        var world = World(workers: 1)
        world.pass(.seconds(3600))
        #expect(world.processes.map(\.signals) == [[], []])
        world.becomeReady(.store)
        world.pass(.seconds(59))
        #expect(world.processes(.worker(0)).map(\.signals) == [[]])
        world.pass(.seconds(1))
        #expect(world.processes(.worker(0)).map(\.signals) == [[.kill]])
        #expect(world.violations == [])
    }

    @Test("The readiness of a first worker is counted from that of the store")
    func readinessOfFirstWorker() {
        var world = World(workers: 1)
        world.pass(.seconds(100))
        world.becomeReady(.store)
        world.becomeReady(.worker(0))
        let times = world.events.compactMap { if case .ready(_, _, after: let time) = $0 { time } else { nil } }
        #expect(times == [.seconds(100), .zero])
    }

    @Test("A worker that dies while the store is starting is started again")
    func firstWorkerDies() {
        var world = World(workers: 1)
        world.die(.worker(0), after: .seconds(1))
        world.pass(.seconds(2))
        #expect(world.processes.map(\.role) == [.store, .worker(0)])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.violations == [])
    }

    @Test("A process that dies after a long life is restarted immediately, and its restarts are counted")
    func restart() {
        var world = World.serving()
        world.die(.worker(0), after: .seconds(5))
        #expect(world.starting.map(\.role) == [.worker(0)])
        world.letAllBecomeReady()
        world.die(.store, after: .seconds(5))
        #expect(world.starting.map(\.role) == [.store])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect([ManagedRole.store, .worker(0), .worker(1)].map(world.restarts) == [1, 1, 0])
        #expect([ManagedRole.store, .worker(0), .worker(1)].map(world.replacements) == [0, 0, 0])
        #expect(world.violations == [])
    }

    @Test("Each event of a process's life is emitted once")
    func events() {
        var world = World.serving(workers: 1)
        world.die(.worker(0), .killed(signal: 11), after: .seconds(5))
        world.letAllBecomeReady()
        let (store, first, second) = (Int32(1001), Int32(1002), Int32(1003))
        #expect(
            world.events == [
                .started(.store, pid: store), .started(.worker(0), pid: first),
                .ready(.store, pid: store, after: .zero), .ready(.worker(0), pid: first, after: .zero),
                .died(.worker(0), pid: first, .killed(signal: 11), restartAfter: .zero),
                .restarted(.worker(0), pid: second, count: 1), .ready(.worker(0), pid: second, after: .zero),
            ])
        let before = world.events.count
        world.send(.end(.draining))
        world.letDrainingEnd()
        #expect(
            Array(world.events[before...]) == [
                .ending(.draining), .ended(.worker(0), pid: second, .exited(0)), .ended(.store, pid: store, .exited(0)),
            ])
    }

    @Test(
        "Five deaths in a row before readiness end the server with an error",
        arguments: [ManagedRole.store, .worker(1)])
    func crashLoop(role: ManagedRole) {
        var world = World.serving()
        world.die(role, after: .seconds(5))
        for death in 1...5 {
            #expect(world.finish.isEmpty && world.state.ending == nil, "before death \(death)")
            world.pass(.seconds(2))
            world.die(role, .exited(1))
        }
        #expect(world.state.ending == .draining)
        world.letDrainingEnd()
        #expect(world.finish == [.crashLoop(role: "\(role)", deaths: 5, last: "exit code 1")])
        #expect(world.violations == [])
    }

    @Test("A process that exits with the refusal code is not restarted")
    func refusal() {
        var world = World()
        world.die(.store, .exited(ProcessPlan.refusalExitCode))
        #expect(world.processes.map(\.role) == [.worker(0), .worker(1)])
        #expect(world.processes.map(\.signals) == [[.drain], [.drain]])
        world.letDrainingEnd()
        #expect(world.finish == [.refused(role: "store")])
        #expect(world.events.filter { if case .started = $0 { true } else { false } }.count == 3)
    }

    @Test("A process that repeatedly dies right after readiness is restarted each time after a wait")
    func shortLives() {
        var world = World.serving(workers: 1)
        for _ in 0..<100 {
            world.die(.worker(0))
            #expect(world.starting.isEmpty)
            world.pass(.milliseconds(200))
            world.becomeReady(.worker(0))
        }
        #expect(world.restarts(.worker(0)) == 100)
        #expect(world.finish.isEmpty)
    }

    @Test("A start that fails for lack of resources is retried and does not count as a death")
    func noRoom() {
        var world = World(workers: 1, begin: false)
        world.startFailures = Array(repeating: .noRoom(reason: "Resource temporarily unavailable"), count: 20)
        world.send(.begin)
        #expect(world.processes.isEmpty && world.finish.isEmpty)
        world.pass(.seconds(60))
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.restarts(.store) == 0)
    }

    @Test("A store that postpones its start is retried without limit while the workers continue")
    func postponed() {
        var world = World.serving()
        let workers = world.processes.filter(\.role.isWorker)
        world.die(.store, after: .seconds(5))
        for _ in 1...100 {
            world.die(.store, .exited(ProcessPlan.postponementExitCode))
            #expect(world.starting.isEmpty)
            world.pass(.seconds(2))
            #expect(world.starting.map(\.role) == [.store])
        }
        #expect(world.ready == workers)
        // A worker that dies meanwhile is restarted, because it only reads.
        world.die(.worker(0), after: .seconds(5))
        #expect(world.starting.map(\.role) == [.store, .worker(0)])
        world.letAllBecomeReady()
        #expect(world.isServing)
        #expect(world.restarts(.store) == 1)
        #expect(world.violations == [])
    }

    @Test("A postponement code after readiness counts as a death")
    func postponedTooLate() {
        var world = World.serving()
        world.die(.store, .exited(ProcessPlan.postponementExitCode), after: .seconds(60))
        #expect(world.starting.map(\.role) == [.store])
        #expect(world.restarts(.store) == 1)
    }

    @Test("A program that cannot be started ends the server with the reason")
    func impossible() {
        var world = World(begin: false)
        world.startFailures = [.impossible(reason: "zoo: Permission denied")]
        world.send(.begin)
        #expect(world.finish == [.cannotStart(role: "store", reason: "zoo: Permission denied")])
    }

    @Test("A worker that is not ready in time is killed, and a store may take longer")
    func lateReadiness() {
        var world = World(workers: 1)
        world.pass(.seconds(3600))
        #expect(world.processes(.store).first?.signals == [])
        world.becomeReady(.store)
        world.pass(.seconds(61))
        #expect(world.processes(.worker(0)).first?.signals == [.kill])
        world.die(.worker(0))
        world.pass(.seconds(1))
        #expect(world.starting.map(\.role) == [.worker(0)])
    }
}
