import Testing

/// One driver at a time: the tests wait for processes, and the sweeps count their calls.
@Suite(.serialized) struct FaultTests {}
