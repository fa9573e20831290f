import TestSupport
import Testing

/// One driver at a time: the tests wait for processes, and the sweeps count their calls.
@Suite(.serialized, .timeLimit(.minutes(Explore.isOn ? 60 : Patience.minutes))) struct FaultTests {}
