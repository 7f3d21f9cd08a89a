import CTerminal
import Glibc
import Processes
import Terminal
import TerminalTesting

/// A program in a pseudo-terminal that answers queries like a terminal. Records when its
/// output arrived.
///
/// During a measurement, output is only stored. It is interpreted afterwards, so that this doesn't
/// slow down reading.
final class Observed {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private(set) var output: [UInt8] = []
  /// When the last bytes arrived.
  private(set) var lastByte = ContinuousClock.now
  let start = ContinuousClock.now
  private let process: pid_t
  private let master: Int32
  private var screen: InMemoryTerminal
  /// The number of output bytes already interpreted.
  private var seen = 0
  private var status: Int32?
  /// The largest memory use seen so far, in KiB.
  private(set) var peakMemory = 0

  init(_ program: String, _ arguments: [String], size: Size) throws(Failure) {
    screen = InMemoryTerminal(size: size)
    var name = [CChar](repeating: 0, count: 64)
    master = cterminal_open_pty(Int32(size.columns), Int32(size.rows), &name, name.count)
    guard master >= 0 else { throw Failure(description: "no pseudo-terminal: errno \(errno)") }
    setenv("TERM", "xterm-256color", 1)
    setenv("COLORTERM", "truecolor", 1)
    setenv("LC_ALL", "C.UTF-8", 1)
    unsetenv("NO_COLOR")
    let terminal = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    do { process = try Launch(program, arguments, terminal: terminal).start() } catch {
      throw Failure(description: "\(program): \(error.reason)")
    }
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(master)
  }

  /// Reads one block. Returns `false` if none arrived in time.
  @discardableResult
  func read(within time: Duration) -> Bool {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    let milliseconds = max(0, Int32(time / .milliseconds(1)))
    guard poll(&entry, 1, milliseconds) > 0, entry.revents & Int16(POLLIN) != 0 else {
      return false
    }
    let count = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      let count = Glibc.read(master, buffer.baseAddress, buffer.count)
      if count > 0 {
        lastByte = .now
        output.append(contentsOf: buffer[..<count])
      }
      return count
    }
    return count > 0
  }

  /// Reads until nothing has arrived for `quiet`.
  func readUntilQuiet(_ quiet: Duration) {
    while read(within: quiet) {}
  }

  /// Returns the current screen, answering queries in the output.
  func look() -> InMemoryTerminal {
    screen.feed(Array(output[seen...]))
    seen = output.count
    let answers = screen.takeAnswers()
    if !answers.isEmpty { write(answers) }
    return screen
  }

  /// Waits for the first full frame.
  /// - Returns: The time from the start to its last byte.
  func waitForFrame() throws(Failure) -> Duration {
    while !hasEnded {
      // A burst ends when nothing arrives for 12 ms.
      guard read(within: .seconds(5)) else { break }
      readUntilQuiet(.milliseconds(12))
      let time = start.duration(to: lastByte)
      if look().contains("q quit") { return time }
    }
    throw Failure(description: "the workload never appeared:\n\(look().text)")
  }

  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
  }

  /// Presses a key.
  /// - Returns: The time to the last byte of the response, and its number of bytes.
  func press(_ key: Character) -> (time: Duration, bytes: Int) {
    let before = output.count
    let pressed = ContinuousClock.now
    write(Array(String(key).utf8))
    readUntilQuiet(.milliseconds(40))
    return (pressed.duration(to: lastByte), output.count - before)
  }

  /// The processor time of all threads so far, in microseconds.
  var processorTime: Double {
    var time = timespec()
    // The CPU clock ID of another process on Linux.
    clock_gettime((~process << 3) | 2, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// Whether the program has ended. Updates the peak memory while it hasn't.
  var hasEnded: Bool {
    if status != nil { return true }
    peakMemory = max(peakMemory, Self.peakMemory(of: process))
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, WNOHANG, &usage) == process else { return false }
    self.status = status
    endUsage = usage
    return true
  }

  private var endUsage = rusage()

  /// The processor time of the whole run, in microseconds, once it has ended.
  var endProcessorTime: Double {
    let (user, system) = (endUsage.ru_utime, endUsage.ru_stime)
    return Double(user.tv_sec + system.tv_sec) * 1e6 + Double(user.tv_usec + system.tv_usec)
  }

  /// Presses q and waits until the program has ended.
  func quit() {
    _ = hasEnded
    write(Array("q".utf8))
    waitForEnd()
  }

  func waitForEnd() {
    let limit = ContinuousClock.now + .seconds(60)
    while !hasEnded, ContinuousClock.now < limit { read(within: .milliseconds(20)) }
    readUntilQuiet(.milliseconds(1))
  }

  private static func peakMemory(of process: pid_t) -> Int {
    guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) ?? 0 }
    }
    return 0
  }
}
