/// Which processes are killed while the load goes on, and how often.
package struct KillPlan: Sendable, Hashable {
    package let target: KillTarget
    package let interval: Duration

    package init(target: KillTarget, interval: Duration) {
        self.target = target
        self.interval = interval
    }
}

package enum KillTarget: String, Sendable, CaseIterable {
    case worker, store, any
}
