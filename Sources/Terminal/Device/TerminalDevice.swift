import CTerminal
import Glibc

/// The terminal that the program runs in: raw mode, the alternate screen, its size, and input and
/// output.
///
/// `open()` takes over the terminal and `close()` restores it, as does any other end of the
/// process: `exit`, a signal or a crash. Only one device can be open at a time, because signals and
/// the terminal belong to the whole process.
@MainActor
public final class TerminalDevice {
  /// The options chosen by the program.
  public let options: TerminalOptions
  /// The size to draw at, at least 1×1, as of the last update. It is capped for huge windows, whose
  /// remainder stays blank.
  public private(set) var size = Size(columns: 80, rows: 24)
  /// Whether the program has taken over the terminal.
  public private(set) var isOpen = false

  /// The terminal's file descriptor; -1 while closed. The path is opened again to get a separate
  /// open file description, so non-blocking mode doesn't affect the shell or other users of the
  /// terminal.
  private(set) var descriptor: Int32 = -1
  /// A descriptor that delivers the numbers of signals, one byte each; -1 while closed.
  private(set) var signals: Int32 = -1

  private let path: String
  private var modes: TerminalModes
  private var saved = termios()
  /// Whether full-screen mode has been entered and not left.
  private var hasEntered = false
  /// Output that the terminal hasn't accepted yet.
  private var unwritten: [UInt8] = []
  private var written = 0

  /// Creates a closed device for a terminal.
  /// - Parameters:
  ///   - options: The options for the terminal.
  ///   - path: The terminal's file; by default the controlling terminal of the process.
  public init(options: TerminalOptions = TerminalOptions(), path: String = "/dev/tty") {
    self.options = options
    self.path = path
    modes = TerminalModes(options: options)
  }

  /// Takes over the terminal.
  public func open() throws(TerminalError) {
    guard !isOpen else { return }
    let term = getenv("TERM").map { String(cString: $0) }
    if term == "dumb" { throw .dumb }
    modes.isConsole = term == "linux"
    descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .noTerminal(path: path, errno: errno) }
    do throws(TerminalError) {
      guard tcgetattr(descriptor, &saved) == 0 else { throw .notATerminal(path: path) }
      saved.repair()
      signals = cterminal_handle_signals()
      guard signals >= 0 else { throw .system(call: "pipe", errno: errno) }
      try enter()
    } catch {
      release()
      throw error
    }
    isOpen = true
    updateSize()
  }

  /// Restores the terminal. Safe even if it has disappeared or was never opened.
  /// - Parameters:
  ///   - outstanding: The number of answers to DA1 still expected; `nil` if the terminal doesn't
  ///     answer. Unless it is `nil`, the terminal is queried once more and input is read until all
  ///     answers have arrived (at most 200 ms), so that no late answer is typed into the shell.
  ///   - end: The bytes after the last frame.
  func close(outstanding: Int? = nil, end: [UInt8] = []) {
    guard isOpen else { return }
    isOpen = false
    leave(outstanding: outstanding, end: end)
    release()
  }

  /// Restores the terminal, stops the process group as Ctrl-Z does, and takes over the terminal
  /// again when the job continues.
  ///
  /// For the parameters see ``close(outstanding:end:)``.
  func suspend(outstanding: Int? = nil, end: [UInt8] = []) throws(TerminalError) {
    guard isOpen else { return }
    leave(outstanding: outstanding, end: end)
    cterminal_stop()
    try resume()
  }

  /// Takes over the terminal again after the process was stopped without a chance to restore it.
  func resume() throws(TerminalError) {
    guard isOpen else { return }
    unwritten.removeAll()
    written = 0
    try enter()
    updateSize()
  }

  /// Updates the size. The size reported by the terminal is used only if the system doesn't know
  /// it, as on a serial line.
  func updateSize(reported: Size? = nil) {
    size = drawnSize(of: Size(ofTerminal: descriptor) ?? reported ?? size)
  }

  /// Returns the size to draw at in a window.
  func drawnSize(of window: Size) -> Size {
    let most = Screen.largestSize
    let rows = min(window.rows, max(1, options.inlineRows ?? most.rows), most.rows)
    return Size(columns: min(window.columns, most.columns), rows: rows)
  }

  /// The size of a cell in pixels according to the system; `nil` if unknown.
  var cellPixels: Size? {
    var width: Int32 = 0
    var height: Int32 = 0
    guard cterminal_cell_pixels(descriptor, &width, &height) == 0 else { return nil }
    return Size(columns: Int(width), rows: Int(height))
  }

  // MARK: Bytes

  /// The result of reading.
  enum ReadResult: Equatable {
    case bytes(Int)
    /// No input is available.
    case nothing
    /// The terminal has disappeared.
    case closed
  }

  /// Reads available input without blocking.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .closed }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .closed
      }
    }
  }

  /// Whether output is waiting for a slow terminal. No frame should be drawn until it has been
  /// written.
  var isWriting: Bool { written < unwritten.count }

  /// Writes as many bytes as the terminal accepts now and keeps the rest for `flush()`. Returns
  /// `false` if the terminal has disappeared.
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    if isWriting {
      unwritten.append(contentsOf: bytes)
      return flush()
    }
    unwritten.removeAll(keepingCapacity: true)
    written = 0
    var isAlive = true
    let direct: Void? = bytes.withContiguousStorageIfAvailable { buffer in
      let count = writeOnce(UnsafeRawBufferPointer(buffer), isAlive: &isAlive)
      if count < buffer.count { unwritten.append(contentsOf: buffer[count...]) }
    }
    if direct == nil {
      unwritten.append(contentsOf: bytes)
      return flush()
    }
    return isAlive
  }

  /// Writes as much waiting output as the terminal accepts now. Returns `false` if the terminal has
  /// disappeared.
  func flush() -> Bool {
    var isAlive = true
    unwritten.withUnsafeBytes { buffer in
      written += writeOnce(UnsafeRawBufferPointer(rebasing: buffer[written...]), isAlive: &isAlive)
    }
    return isAlive
  }

  /// Writes all waiting output, however long it takes. Returns `false` if the terminal has
  /// disappeared.
  func finishWriting() -> Bool {
    while isWriting {
      wait(for: Int16(POLLOUT), milliseconds: -1)
      guard flush() else { return false }
    }
    return true
  }

  private func writeOnce(_ buffer: UnsafeRawBufferPointer, isAlive: inout Bool) -> Int {
    var done = 0
    while done < buffer.count {
      let count = cterminal_write(descriptor, buffer.baseAddress! + done, buffer.count - done)
      if count >= 0 {
        done += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: return done
      default:
        isAlive = false
        return done
      }
    }
    return done
  }

  // MARK: Entering and leaving

  /// Asks the terminal to measure grapheme clusters as a whole, until it is restored.
  func useGraphemeClusters() -> Bool {
    guard isOpen, !modes.setsGraphemeClusters else { return true }
    modes.setsGraphemeClusters = true
    return arm() && write(Array(TerminalModes.graphemeClusters.utf8))
  }

  /// Asks the terminal to report the mouse in pixels, until it is restored.
  func reportPixels() -> Bool {
    guard isOpen, options.usesMouse, options.inlineRows == nil, !modes.reportsPixels else {
      return true
    }
    modes.reportsPixels = true
    return write(Array(TerminalModes.pixelReports.utf8))
  }

  /// Makes sure that the program's pictures are removed when the terminal is restored.
  func removePicturesAtEnd() -> Bool {
    modes.keepsPictures = true
    return isOpen ? arm() : true
  }

  /// Passes the bytes that restore the terminal to the signal and exit handlers.
  private func arm() -> Bool {
    let restore = modes.leaveAnywhere
    return cterminal_arm(descriptor, &saved, restore, restore.count) == 0
  }

  private func enter() throws(TerminalError) {
    var raw = saved
    cfmakeraw(&raw)
    guard arm() else { throw .system(call: "arm", errno: errno) }
    while cterminal_set_attributes(descriptor, &raw) != 0 {
      guard errno == EINTR else { throw .system(call: "tcsetattr", errno: errno) }
    }
    cterminal_hold_errors()
    _ = write(hasEntered ? modes.enterAgain : modes.enter)
    hasEntered = true
  }

  private func leave(outstanding: Int?, end: [UInt8]) {
    // Give a partially written frame a chance to finish, so that it doesn't end inside a sequence.
    if isWriting { wait(for: Int16(POLLOUT), milliseconds: 100) }
    _ = flush()
    // Without its last frame the terminal isn't where that ended.
    var bytes = isWriting ? modes.leaveAnywhere : end + modes.leave
    unwritten.removeAll()
    written = 0
    hasEntered = false
    if outstanding != nil { bytes += Array("\u{1B}[c".utf8) }
    var isAlive = write(bytes)
    for _ in 0..<5 where isAlive && isWriting {
      wait(for: Int16(POLLOUT), milliseconds: 50)
      isAlive = flush()
    }
    if isAlive, let outstanding { drain(answers: outstanding + 1) }
    tcsetattr(descriptor, TCSAFLUSH, &saved)
    cterminal_disarm()
    cterminal_release_errors()
  }

  /// Reads and discards input until a number of answers to DA1 have arrived, for at most 200 ms.
  private func drain(answers: Int) {
    let deadline = ContinuousClock.now + .milliseconds(200)
    var missing = answers
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    while missing > 0, ContinuousClock.now < deadline {
      wait(for: Int16(POLLIN), milliseconds: 10)
      let result = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        let result = read(into: buffer)
        if case .bytes(let count) = result { decoder.feed(buffer[..<count], into: &output) }
        return result
      }
      if result == .closed { return }
      for case .answer(.deviceAttributes) in output { missing -= 1 }
      output.removeAll(keepingCapacity: true)
    }
  }

  private func wait(for events: Int16, milliseconds: Int32) {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    poll(&entry, 1, milliseconds)
  }

  private func release() {
    cterminal_disarm()
    cterminal_release_signals()
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    signals = -1
    unwritten.removeAll()
    written = 0
  }
}

extension termios {
  /// Fixes attributes left in raw mode by a program that was killed, since these are what the shell
  /// gets back at the end.
  fileprivate mutating func repair() {
    let isRaw = c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0
    guard isRaw else { return }
    c_iflag |= tcflag_t(ICRNL | IXON)
    c_oflag |= tcflag_t(OPOST | ONLCR)
    c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ECHOK | ISIG | IEXTEN)
  }
}

/// Options for the terminal in full-screen mode.
public struct TerminalOptions: Hashable, Sendable {
  /// Whether to draw on the alternate screen, so that the shell's output reappears afterwards.
  public var usesAlternateScreen = true
  /// Whether to report mouse events. If not, the terminal's own text selection works as usual.
  public var usesMouse = true
  /// The number of lines to draw below what the shell has shown; `nil` for the whole screen. Then
  /// neither the alternate screen nor the mouse is used.
  public var inlineRows: Int?
  /// The window title while the program runs. The previous title is restored afterwards.
  public var title: String?

  /// Creates options, by default those of a typical full-screen program.
  public init(
    usesAlternateScreen: Bool = true, usesMouse: Bool = true, inlineRows: Int? = nil,
    title: String? = nil
  ) {
    self.inlineRows = inlineRows
    self.usesAlternateScreen = usesAlternateScreen
    self.usesMouse = usesMouse
    self.title = title
  }
}

/// The reason why no terminal is available.
public enum TerminalError: Error, Equatable, Sendable {
  /// The process has no controlling terminal; `errno` is from opening it.
  case noTerminal(path: String, errno: Int32)
  /// The file that was opened isn't a terminal.
  case notATerminal(path: String)
  /// `TERM` is `dumb`: the terminal has no movable cursor.
  case dumb
  /// A system call failed that should work on every terminal.
  case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// A sentence for the user at the shell.
  public var description: String {
    switch self {
    case .noTerminal(let path, let errno):
      "There is no terminal to draw on (\(path): \(String(cString: strerror(errno))))."
    case .notATerminal(let path):
      "\(path) is not a terminal."
    case .dumb:
      "This terminal cannot show full screens (TERM is \"dumb\")."
    case .system(let call, let errno):
      "The terminal refused: \(call): \(String(cString: strerror(errno)))."
    }
  }
}

extension Size {
  /// Gets the size of the terminal behind a file descriptor; `nil` if it isn't a terminal.
  public init?(ofTerminal descriptor: Int32) {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard cterminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return nil
    }
    self.init(columns: Int(columns), rows: Int(rows))
  }
}
