import Testing

/// One family of processes at a time: what a test kills and counts is its own, and deadlines mean what they say.
@Suite(.serialized, .timeLimit(.minutes(Endurance.isOn ? 30 : 1))) struct ServerProcesses {}
