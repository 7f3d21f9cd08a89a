import Terminal

/// The cost of one program: medians over several runs, or over the keys of one run.
struct Measurement {
  /// Latency, bytes and processor time of one kind of key press.
  struct Keys {
    var milliseconds = 0.0
    var bytes = 0
    /// Processor time per key.
    var microseconds = 0.0
  }

  let name: String
  /// The time to the last byte of the first full frame.
  private(set) var startMilliseconds = 0.0
  /// The largest resident set.
  private(set) var memoryMiB = 0.0
  private(set) var move = Keys()
  private(set) var scroll = Keys()
  /// Output and processor time per frame of the storm, without the start.
  private(set) var stormBytes = 0
  private(set) var stormMicroseconds = 0.0

  private static let runs = 7
  private static let stormFrames = 600

  init(of contender: Contender, size: Size) throws(Observed.Failure) {
    name = contender.name
    var starts: [Double] = []
    var startCosts: [Double] = []
    var startBytes: [Double] = []
    var memory: [Double] = []
    for _ in 0..<Self.runs {
      let program = try Observed(contender.program, ["static"], size: size)
      starts.append(try program.waitForFrame() / .milliseconds(1))
      startBytes.append(Double(program.output.count))
      program.readUntilQuiet(.milliseconds(200))
      program.quit()
      startCosts.append(program.endProcessorTime)
      memory.append(Double(program.peakMemory) / 1024)
    }
    startMilliseconds = Self.median(starts)
    memoryMiB = Self.median(memory)

    let program = try Observed(contender.program, ["nav"], size: size)
    _ = try program.waitForFrame()
    program.readUntilQuiet(.milliseconds(200))
    _ = program.look()
    // The list has four rows fewer than the screen, and the last one needs the fourth key from here.
    move = Self.keys(size.rows - 8, in: program)
    for _ in 0..<3 { _ = program.press("j") }
    scroll = Self.keys(100, in: program)
    program.quit()

    var bytes: [Double] = []
    var costs: [Double] = []
    for _ in 0..<Self.runs {
      let program = try Observed(contender.program, ["storm", "\(Self.stormFrames)"], size: size)
      program.waitForEnd()
      bytes.append(Double(program.output.count))
      costs.append(program.endProcessorTime)
    }
    let frames = Double(Self.stormFrames)
    stormBytes = Int((Self.median(bytes) - Self.median(startBytes)) / frames)
    stormMicroseconds = (Self.median(costs) - Self.median(startCosts)) / frames
  }

  private static func keys(_ count: Int, in program: Observed) -> Keys {
    let before = program.processorTime
    let answers = (0..<count).map { _ in program.press("j") }
    return Keys(
      milliseconds: median(answers.map { $0.time / .milliseconds(1) }),
      bytes: Int(median(answers.map { Double($0.bytes) })),
      microseconds: (program.processorTime - before) / Double(count))
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
