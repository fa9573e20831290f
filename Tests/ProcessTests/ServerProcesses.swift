import TestSupport
import Testing

/// Process families that are killed, stopped, replaced and ended, one family at a time.
///
/// ``ServedApplications`` runs its tests at the same time, so two families run side by side: one for each
/// processor of a small machine. Each test has a directory and ports of its own, and finds its processes by the
/// directory's name or by their parent. Therefore no test sees the processes of another.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct ServerProcesses {}

/// Process families that are used as people and commands use them, one family at a time, beside
/// ``ServerProcesses``.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct ServedApplications {}
