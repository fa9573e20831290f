import TestSupport
import Testing

/// Families of processes that are killed, stopped, replaced and ended, one family at a time.
///
/// ``ServedApplications`` does its tests at the same time, so two families run side by side: one for each processor of a
/// small machine. Each test has a directory and ports of its own, and finds its processes by the directory's name or by
/// their parent, so no test sees another's.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct ServerProcesses {}

/// Families of processes that are used as people and commands use them, one family at a time; beside ``ServerProcesses``.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct ServedApplications {}
