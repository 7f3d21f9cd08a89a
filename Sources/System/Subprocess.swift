import FoundationEssentials
import Glibc
import Processes

/// Another program, run without a shell and within a time limit.
package enum Subprocess {
  package enum End: Equatable, Sendable {
    case exited(Int32)
    /// Ended by a signal that wasn't ours.
    case killed
    /// Killed with all that it had started, because it took too long.
    case tookTooLong
    case notFound
    /// The program exists but could not be started.
    case notStarted(String)
  }

  package struct Result: Equatable, Sendable {
    package var end: End
    /// The standard output, up to the limit.
    package var output: [UInt8] = []
    /// Whether there was more than that, which wasn't read.
    package var exceededOutputLimit = false
    /// The beginning of the standard error.
    package var complaint: [UInt8] = []
  }

  /// Runs a program on a separate thread.
  /// - Parameters:
  ///   - program: A path, or a name to find in `PATH`.
  ///   - variables: Variables that are added to the environment. Our own variables are removed from
  ///     it: one of them holds a password.
  ///   - isOurs: Whether it is a program of ours, which gets our own variables, too.
  ///   - input: The standard input of the program.
  ///   - outputLimit: The number of bytes to take of its standard output; 0 discards it.
  ///   - complaintLimit: The number of bytes to take of its standard error.
  ///   - limit: The time after which it is killed with all that it has started.
  package static func run(
    _ program: String, _ arguments: [String], variables: [String: String] = [:],
    isOurs: Bool = false, input: [UInt8] = [], outputLimit: Int = 0, complaintLimit: Int = 400,
    within limit: Duration
  ) async -> Result {
    await OwnThread.run { handOver in
      // A program that stops reading must not end ours.
      var pipeSignal = sigset_t()
      sigemptyset(&pipeSignal)
      sigaddset(&pipeSignal, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
      let environment = ProcessInfo.processInfo.environment
        .filter { isOurs || !$0.key.hasPrefix("LIFESIGNAL_") }
        .merging(variables) { $1 }
      handOver(
        Child.run(
          program, arguments, environment.map { "\($0.key)=\($0.value)" }, input: input,
          outputLimit: outputLimit, complaintLimit: complaintLimit, within: limit))
    } ?? Result(end: .notStarted("no thread could be started"))
  }
}

/// A program that was started, with the pipes to it.
private struct Child {
  private let id: pid_t
  private var input: Int32
  private var output: Drain?
  private var complaints: Drain

  static func run(
    _ program: String, _ arguments: [String], _ environment: [String], input bytes: [UInt8],
    outputLimit: Int, complaintLimit: Int, within limit: Duration
  ) -> Subprocess.Result {
    let end = ContinuousClock.now + limit
    var child: Child
    do {
      child = try start(
        program, arguments, environment, outputLimit: outputLimit, complaintLimit: complaintLimit)
    } catch { return .init(end: error.end) }
    child.talk(bytes, until: end)
    child.close()
    if child.output?.isOverfull == true { kill(-child.id, SIGKILL) }
    let result = child.wait(until: end)
    return .init(
      end: result, output: child.output?.bytes ?? [],
      exceededOutputLimit: child.output?.isOverfull ?? false, complaint: child.complaints.bytes)
  }

  // MARK: Starting

  private struct Failure: Error { var end: Subprocess.End }

  /// Starts the program in its own group, so that all of it can be killed.
  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String], outputLimit: Int,
    complaintLimit: Int
  ) throws(Failure) -> Child {
    let count = outputLimit > 0 ? 3 : 2
    let pipes = (0..<count).compactMap { _ in openPipe() }
    // The program reads from the first one, and writes to the others.
    let theirs = pipes.enumerated().map { $0 == 0 ? $1.reading : $1.writing }
    let ours = pipes.enumerated().map { $0 == 0 ? $1.writing : $1.reading }
    defer { for descriptor in theirs { Glibc.close(descriptor) } }
    do throws(Failure) {
      guard pipes.count == count else { throw Failure(end: .notStarted("no pipe")) }
      let id = try launch(program, arguments, environment, theirs)
      for descriptor in ours { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
      return Child(
        id: id, input: ours[0], output: count == 3 ? Drain(ours[2], limit: outputLimit) : nil,
        complaints: Drain(ours[1], limit: complaintLimit))
    } catch {
      for descriptor in ours { Glibc.close(descriptor) }
      throw error
    }
  }

  /// - Parameter pipes: Its input, its complaints, and its output if that is read.
  private static func launch(
    _ program: String, _ arguments: [String], _ environment: [String], _ pipes: [Int32]
  ) throws(Failure) -> pid_t {
    do {
      return try Launch(
        program, arguments, environment: environment,
        files: [
          STDIN_FILENO: .descriptor(pipes[0]),
          STDOUT_FILENO: pipes.count == 3 ? .descriptor(pipes[2]) : .null,
          STDERR_FILENO: .descriptor(pipes[1]),
        ], group: .own
      ).start()
    } catch {
      throw Failure(end: error.code == ENOENT ? .notFound : .notStarted(error.reason))
    }
  }

  // MARK: Input and output

  /// Writes the input and reads the output until the program closes its outputs or ends, writes too
  /// much, or the time is up. Programs that it left behind may hold the pipes open for longer.
  private mutating func talk(_ bytes: [UInt8], until end: ContinuousClock.Instant) {
    var rest = bytes[...]
    if rest.isEmpty { closeInput() }
    while complaints.isOpen || output?.isOpen == true, output?.isOverfull != true {
      // A closed descriptor is -1, which poll skips.
      var entries = [
        pollfd(fd: complaints.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
      ]
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return }
      let pause = min(left.components.seconds * 1_000 + 1, 100)
      let count = poll(&entries, nfds_t(entries.count), Int32(pause))
      if count < 0, errno != EINTR { return }
      guard count > 0 else {
        if hasEnded { return }
        continue
      }
      if entries[2].revents != 0 {
        let written = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        if written > 0 { rest = rest.dropFirst(written) }
        // A program that stops reading says why by its exit code.
        if rest.isEmpty || (written < 0 && errno != EAGAIN && errno != EINTR) { closeInput() }
      }
      if entries[0].revents != 0 { complaints.read() }
      if entries[1].revents != 0 { output?.read() }
    }
  }

  // MARK: Ending

  /// Whether there is an exit code; it isn't taken yet.
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
        Launch.wait(for: id)
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
    complaints.close()
    output?.close()
  }
}
