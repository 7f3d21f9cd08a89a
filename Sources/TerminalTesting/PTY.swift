import CTerminal
import Glibc
import Processes
public import Terminal

/// A program running in a pseudo-terminal of its own, driven as a person would: by keys, by what is
/// to be seen, by changing the window's size.
///
///     let pty = try PTY("/bin/sh", size: Size(columns: 80, rows: 24))
///     pty.send("echo hello\r")
///     try pty.wait(for: "hello")
///     pty.send("exit\r")
///     #expect(try pty.waitForExit() == .exited(0))
///
/// Waiting reads the program's output until the screen shows the expected text; the limit is only for
/// programs that never show it. It checks every frame, so a text that was replaced while this process
/// waited for the processor is still found. Not to be shared between tasks.
public final class PTY {
  /// How a program ended.
  public enum Exit: Hashable, Sendable {
    /// It returned or called `exit` with this status.
    case exited(Int32)
    /// It was killed by this signal.
    case killed(Int32)
  }

  /// What the program shows.
  public private(set) var screen: InMemoryTerminal
  /// Every byte that the program has written.
  public private(set) var output: [UInt8] = []
  /// The program's process identifier, which is also that of its session and process group.
  public let process: Int32
  /// Whether queries are answered as a terminal of today does. Off, the terminal is silent.
  public var answersQueries: Bool

  /// Output that was read but not yet fed to the screen.
  private var unseen: ArraySlice<UInt8> = []
  private let master: Int32
  /// Kept open so that the terminal's attributes can be read after the program has ended.
  private let slave: Int32
  private var exit: Exit?

  /// Starts a program as the leader of a session, with the pseudo-terminal as its controlling
  /// terminal, standard input, output and error.
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: What follows the program's name.
  ///   - environment: Changes to the environment of this process; `nil` removes a variable. `TERM`
  ///     is `xterm-256color` unless given.
  ///   - directory: Where it runs; here by default.
  ///   - size: The window's size.
  ///   - clusterWidth: How the terminal measures clusters of several scalars.
  ///   - answersQueries: Whether the terminal answers queries.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    directory: String? = nil, size: Size = Size(columns: 80, rows: 24),
    clusterWidth: InMemoryTerminal.ClusterWidth = .whole, answersQueries: Bool = true
  ) throws(PTYError) {
    screen = InMemoryTerminal(size: size, clusterWidth: clusterWidth)
    self.answersQueries = answersQueries
    var name = [CChar](repeating: 0, count: 64)
    master = cterminal_open_pty(Int32(size.columns), Int32(size.rows), &name, name.count)
    guard master >= 0 else { throw .system(call: "posix_openpt", errno: errno) }
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw .system(call: "open", errno: errno) }
    do {
      process = try Launch(
        program, arguments, environment: Self.variables(changedBy: environment),
        directory: directory, terminal: path
      ).start()
    } catch {
      throw .system(call: "posix_spawn \(program)", errno: error.code)
    }
  }

  deinit {
    if exit == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(master)
    close(slave)
  }

  /// Returns the environment of this process as `NAME=value`, with changes applied.
  private static func variables(changedBy changes: [String: String?]) -> [String] {
    var values: [String: String] = [:]
    var entry = environ
    while let variable = entry.pointee {
      let parts = String(cString: variable).split(separator: "=", maxSplits: 1)
      if parts.count > 0 { values[String(parts[0])] = parts.count > 1 ? String(parts[1]) : "" }
      entry += 1
    }
    values["TERM"] = "xterm-256color"
    values["COLUMNS"] = nil
    values["LINES"] = nil
    for (name, value) in changes { values[name] = value }
    return values.map { "\($0.key)=\($0.value)" }
  }

  // MARK: What the person does

  /// Types text, or sends any bytes that a terminal would.
  public func send(_ text: String) {
    send(Array(text.utf8))
  }

  /// Sends bytes as the terminal does. What a program does not read within 20 seconds is dropped.
  public func send(_ bytes: [UInt8]) {
    showEverything()
    transmit(bytes)
  }

  private func transmit(_ bytes: [UInt8]) {
    let deadline = ContinuousClock.now + .seconds(20)
    var rest = bytes[...]
    while !rest.isEmpty, ContinuousClock.now < deadline {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        // The program may wait for somebody to read what it writes.
        _ = read(milliseconds: 5)
      } else {
        return
      }
    }
  }

  /// Presses keys, in the way terminals have always sent them.
  public func press(_ keys: KeyPress...) {
    for key in keys { send(key.terminalBytes) }
  }

  /// Pastes text as a terminal with bracketed paste does.
  public func paste(_ text: String) {
    send("\u{1B}[200~\(text)\u{1B}[201~")
  }

  /// Clicks a cell with the left button.
  public func click(_ point: Point) {
    let place = "\(point.column + 1);\(point.row + 1)"
    send("\u{1B}[<0;\(place)M\u{1B}[<0;\(place)m")
  }

  /// Gives the window another size; the kernel tells the program.
  /// - Parameter cellPixels: The size of a cell in pixels, where the kernel is to know it.
  public func resize(to size: Size, cellPixels: Size = .zero) {
    screen.resize(to: size)
    _ = cterminal_set_size(
      master, Int32(size.columns), Int32(size.rows), Int32(cellPixels.columns),
      Int32(cellPixels.rows))
    sendAnswers()
  }

  /// Sends a signal to the program alone.
  public func signal(_ signal: Int32) {
    kill(process, signal)
  }

  /// Closes the window: the program loses its terminal.
  public func hangUp() {
    // The kernel hangs up when the last master closes; another file takes its number in the meantime.
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(nothing, master)
    close(nothing)
  }

  // MARK: What the person sees

  /// Reads until the screen satisfies the predicate.
  /// - Parameters:
  ///   - limit: How long to wait for output that does not come, in seconds. The default is for a
  ///     machine that is ten times too busy.
  ///   - predicate: Whether the screen shows it.
  /// - Throws: `PTYError.notSeen` with the screen as it is when the program ends or the limit passes.
  public func wait(
    limit: Double = 180, until predicate: (InMemoryTerminal) -> Bool
  ) throws(PTYError) {
    try wait(for: nil, limit: limit, until: predicate)
  }

  /// Reads until one row shows the text.
  public func wait(for text: String, limit: Double = 180) throws(PTYError) {
    try wait(for: text, limit: limit) { $0.contains(text) }
  }

  private func wait(
    for text: String?, limit: Double, until predicate: (InMemoryTerminal) -> Bool
  ) throws(PTYError) {
    let deadline = ContinuousClock.now + .seconds(limit)
    while !predicate(screen) {
      if showNextFrame() { continue }
      guard ContinuousClock.now < deadline, readBlock(milliseconds: 50) || exit == nil else {
        throw .notSeen(text, screen: screen.text)
      }
    }
  }

  /// Reads until the program has ended.
  /// - Throws: `PTYError.stillRunning` with the screen as it is when the limit passes.
  @discardableResult
  public func waitForExit(limit: Double = 180) throws(PTYError) -> Exit {
    let deadline = ContinuousClock.now + .seconds(limit)
    while true {
      if let exit { return exit }
      _ = read(milliseconds: 5)
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        exit = Exit(status: status)
        read(milliseconds: 0)
      } else if ContinuousClock.now >= deadline {
        throw .stillRunning(screen: screen.text)
      }
    }
  }

  /// Reads until the program has been stopped by a signal, as by Ctrl-Z.
  public func waitForStop(limit: Double = 180) throws(PTYError) {
    let deadline = ContinuousClock.now + .seconds(limit)
    while true {
      _ = read(milliseconds: 5)
      var info = siginfo_t()
      if waitid(P_PID, id_t(process), &info, WSTOPPED | WNOHANG) == 0, info.si_signo == SIGCHLD {
        return
      }
      if ContinuousClock.now >= deadline { throw .stillRunning(screen: screen.text) }
    }
  }

  /// The terminal's attributes now: what a shell would find.
  public var attributes: TerminalAttributes {
    var attributes = termios()
    tcgetattr(slave, &attributes)
    return TerminalAttributes(attributes)
  }

  /// Reads what the program writes within the time.
  /// - Returns: False when there will be no more.
  @discardableResult
  public func read(milliseconds: Int32) -> Bool {
    defer { showEverything() }
    guard readBlock(milliseconds: milliseconds) || exit == nil else { return false }
    while readBlock(milliseconds: 0) {}
    return true
  }

  /// Reads one block into `unseen`. Returns false if there was none.
  private func readBlock(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0, entry.revents & Int16(POLLIN) != 0 else {
      return false
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
      count = max(0, Glibc.read(master, buffer.baseAddress, buffer.count))
    }
    output += bytes
    unseen += bytes
    return !bytes.isEmpty
  }

  /// Feeds the screen up to the end of the next frame. Returns false if there is no more output.
  private func showNextFrame() -> Bool {
    guard !unseen.isEmpty else { return false }
    let end = unseen.firstRange(of: Self.endOfFrame)?.upperBound ?? unseen.endIndex
    let frame = unseen[..<end]
    unseen = unseen[end...]
    screen.feed(frame)
    sendAnswers()
    return true
  }

  private func showEverything() {
    while showNextFrame() {}
  }

  /// The end of a synchronized update (private mode 2026).
  private static let endOfFrame = Array("\u{1B}[?2026l".utf8)

  private func sendAnswers() {
    let answers = screen.takeAnswers()
    if answersQueries && !answers.isEmpty { transmit(answers) }
  }
}

extension PTY.Exit {
  fileprivate init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }
}
