import TestSupport
import Testing

/// Process families that are killed, stopped, replaced and ended, one family at a time.
///
/// ``ServedApplications`` and ``FailingStores`` run their tests at the same time, so three families run side by side,
/// which keeps both processors of a small machine busy. Each test has a directory and ports of its own, and finds its
/// processes by the directory's name or by their parent. Therefore no test sees the processes of another.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct ServerProcesses {}

/// Process families that are used as people and commands use them, one family at a time, beside
/// ``ServerProcesses``.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct ServedApplications {}

/// Process families whose store is stopped, killed, damaged or without room, one family at a time, beside
/// ``ServerProcesses``. Much of their time passes until a deadline or a retry.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct FailingStores {}
