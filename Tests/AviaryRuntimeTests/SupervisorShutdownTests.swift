import Testing

@testable import AviaryRuntime

@Suite("Supervisor shutdown")
struct SupervisorShutdownTests {
    @Test(
        "The workers end first, then the store, and the shutdown finishes without an error",
        arguments: [ShutdownMode.draining, .atOnce])
    func order(ending: ShutdownMode) {
        var world = World.serving()
        world.send(.end(ending))
        let signal: Signal = ending == .atOnce ? .atOnce : .drain
        #expect(world.processes(.worker(0)).first?.signals == [signal])
        #expect(world.processes(.worker(1)).first?.signals == [signal])
        #expect(world.processes(.store).first?.signals == [])
        world.die(.worker(0), .exited(0))
        #expect(world.processes(.store).first?.signals == [])
        world.die(.worker(1), .exited(0))
        // The store never gets an urgent signal: it must commit its open batch.
        #expect(world.processes(.store).first?.signals == [.drain])
        #expect(world.finish.isEmpty)
        world.die(.store, .exited(0))
        #expect(world.finish == [nil])
        #expect(world.violations == [])
    }

    @Test("A process that does not end in time is killed, sooner in an immediate shutdown")
    func bound() {
        for (ending, bound) in [(ShutdownMode.draining, Duration.seconds(12)), (.atOnce, .seconds(3))] {
            var world = World.serving(workers: 1)
            world.send(.end(ending))
            world.pass(bound - .milliseconds(1))
            #expect(world.processes(.worker(0)).first?.signals.contains(.kill) == false)
            world.pass(.milliseconds(1))
            #expect(world.processes(.worker(0)).first?.signals.last == .kill)
            world.die(.worker(0))
            world.pass(.seconds(12))
            #expect(world.processes(.store).first?.signals == [.drain, .kill])
            world.die(.store)
            #expect(world.finish == [nil])
        }
    }

    @Test("A request to end immediately accelerates a shutdown, and a request to drain does not delay one")
    func escalation() {
        var world = World.serving(workers: 1)
        world.send(.end(.draining))
        world.send(.end(.draining))
        world.send(.end(.atOnce))
        world.send(.end(.draining))
        #expect(world.processes(.worker(0)).first?.signals == [.drain, .atOnce])
        world.letDrainingEnd()
        #expect(world.finish == [nil])
    }

    @Test("Nothing is started during a shutdown")
    func startsNothing() {
        var world = World.serving()
        world.die(.worker(0))
        world.send(.end(.draining))
        world.send(.reload)
        world.pass(.seconds(5))
        #expect(world.processes(.worker(0)).isEmpty)
        #expect(world.asked.isEmpty)
        world.letDrainingEnd()
        #expect(world.finish == [nil])
        #expect(world.violations == [])
    }

    @Test("A shutdown before readiness finishes")
    func beforeReadiness() {
        var world = World()
        world.send(.end(.draining))
        world.letDrainingEnd()
        #expect(world.finish == [nil])
    }

    @Test("A shutdown during a deploy ends old and new processes and stops the probe")
    func duringDeploy() {
        var world = World.serving()
        world.send(.reload)
        world.send(.end(.draining))
        #expect(world.wasToldToStopAsking)
        world.letDrainingEnd()
        #expect(world.finish.isEmpty)
        world.answer(.fits(.none, steps: []))
        #expect(world.finish == [nil])

        world = World.serving()
        world.reload(.fits(.none, steps: []))
        world.letDrainingEnd()
        world.becomeReady(.store)
        #expect(world.processes(.worker(0)).count == 2)
        world.send(.end(.draining))
        #expect(world.processes(.worker(0)).allSatisfy { $0.signals == [.drain] })
        world.letDrainingEnd()
        #expect(world.finish == [nil])
        #expect(world.violations == [])
    }
}
