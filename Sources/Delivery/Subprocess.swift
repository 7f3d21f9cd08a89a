import Domain
import FoundationEssentials
import Glibc
import Synchronization

/// Another program, run without a shell and within a time, on the thread that calls it.
enum Subprocess {
  enum End: Equatable, Sendable {
    case exited(Int32)
    /// Ended by a signal that was not ours.
    case killed
    /// Took too long, and was killed with all that it had started.
    case tookTooLong
    case notFound
    /// It is there and could not be started.
    case notStarted(String)
  }

  struct Result: Equatable, Sendable {
    var end: End
    /// The beginning of what it said on standard error, in one printable line.
    var complaint = ""
  }

  /// Runs a program on a thread of its own.
  /// - Parameters:
  ///   - program: a path, or a name that is looked for in `PATH`.
  ///   - input: what it reads; standard output goes nowhere.
  static func run(
    _ program: String, _ arguments: [String], input: [UInt8] = [], within limit: Duration
  ) async -> Result {
    await OwnThread.run { handOver in
      handOver(Child.run(program, arguments, input: input, within: limit))
    } ?? Result(end: .notStarted("no thread could be started"))
  }
}

/// A program that was started, and the two pipes to it.
private struct Child {
  private let id: pid_t
  private var input: Int32
  private let complaints: Int32
  private var complaint: [UInt8] = []

  static func run(
    _ program: String, _ arguments: [String], input bytes: [UInt8], within limit: Duration
  ) -> Subprocess.Result {
    let end = ContinuousClock.now + limit
    var child: Child
    switch start(program, arguments) {
    case .success(let started): child = started
    case .failure(let failure): return .init(end: failure.end)
    }
    child.talk(bytes, until: end)
    let result = child.wait(until: end)
    child.close()
    return .init(end: result, complaint: child.printableComplaint)
  }

  // MARK: Starting

  private struct Failure: Error { var end: Subprocess.End }

  /// One at a time: a pipe is ours alone only after a second call, and no other program may be started
  /// between the two.
  private static let starting = Mutex(())

  private static func start(_ program: String, _ arguments: [String]) -> Result<Child, Failure> {
    starting.withLock { _ in startAlone(program, arguments) }
  }

  private static func startAlone(
    _ program: String, _ arguments: [String]
  ) -> Result<Child, Failure> {
    guard let input = pipe() else { return .failure(.init(end: .notStarted("no pipe"))) }
    guard let complaints = pipe() else {
      for descriptor in [input.read, input.write] { Glibc.close(descriptor) }
      return .failure(.init(end: .notStarted("no pipe")))
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.read, STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, complaints.write, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that all of it can be killed; and none of the signals that a monitor
    // blocks or ignores.
    var none = sigset_t()
    sigemptyset(&none)
    var ignored = sigset_t()
    sigemptyset(&ignored)
    for signal in [SIGHUP, SIGPIPE, SIGXFSZ] { sigaddset(&ignored, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var id = pid_t()
    let code = withTexts([program] + arguments) { words in
      withTexts(environment) { environment in
        posix_spawnp(&id, program, &actions, &attributes, words, environment)
      }
    }
    Glibc.close(input.read)
    Glibc.close(complaints.write)
    guard code == 0 else {
      Glibc.close(input.write)
      Glibc.close(complaints.read)
      let end: Subprocess.End =
        code == ENOENT ? .notFound : .notStarted(String(cString: strerror(code)))
      return .failure(.init(end: end))
    }
    for descriptor in [input.write, complaints.read] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    return .success(Child(id: id, input: input.write, complaints: complaints.read))
  }

  private static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Without our own variables, one of which holds a password.
  private static var environment: [String] {
    ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("LIFESIGNAL_") }
      .map { "\($0.key)=\($0.value)" }
  }

  private static func withTexts<Value>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  // MARK: Talking

  /// Writes the input and reads the complaints until the program closes both or ends, or the time is
  /// up. What it started and left behind may hold the pipe open for longer.
  private mutating func talk(_ bytes: [UInt8], until end: ContinuousClock.Instant) {
    var rest = bytes[...]
    if rest.isEmpty { closeInput() }
    while true {
      var entries = [pollfd(fd: complaints, events: Int16(POLLIN), revents: 0)]
      if input >= 0 { entries.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return }
      let count = poll(&entries, nfds_t(entries.count), Int32(min(left.milliseconds, 100)))
      if count < 0, errno != EINTR { return }
      guard count > 0 else {
        if hasEnded { return }
        continue
      }
      if entries.count > 1, entries[1].revents != 0 {
        let written = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        if written > 0 { rest = rest.dropFirst(written) }
        // A program that reads no further has its reasons, and tells them by its exit code.
        if rest.isEmpty || (written < 0 && errno != EAGAIN && errno != EINTR) { closeInput() }
      }
      if entries[0].revents != 0, !readComplaint() { return }
    }
  }

  /// - Returns: whether there may be more.
  private mutating func readComplaint() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = read(complaints, &buffer, buffer.count)
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    complaint += buffer[..<count].prefix(max(0, 400 - complaint.count))
    return count > 0
  }

  private var printableComplaint: String {
    String(decoding: complaint, as: UTF8.self).printableLine
  }

  // MARK: Ending

  /// Whether there is an exit code to be had; it is not taken yet.
  private var hasEnded: Bool {
    var information = siginfo_t()
    let code = waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT)
    return code == 0 && information.si_signo != 0
  }

  private func wait(until end: ContinuousClock.Instant) -> Subprocess.End {
    var status: Int32 = 0
    var pause: UInt32 = 1_000
    while true {
      let result = waitpid(id, &status, WNOHANG)
      if result == id {
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed
      }
      if result < 0, errno != EINTR { return .killed }
      if ContinuousClock.now >= end {
        kill(-id, SIGKILL)
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return .tookTooLong
      }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
  }

  private mutating func closeInput() {
    if input >= 0 { Glibc.close(input) }
    input = -1
  }

  private mutating func close() {
    closeInput()
    Glibc.close(complaints)
  }
}
