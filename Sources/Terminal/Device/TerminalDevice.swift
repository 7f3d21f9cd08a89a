import CTerminal
import Glibc

/// The terminal that the program runs in: raw mode, the alternate screen, its size, and bytes in
/// both directions.
///
/// `open()` takes it over and `close()` leaves it as it was. So does every other way out of the
/// process: `exit`, a signal, a crash. There is one at a time, because signals and the terminal
/// belong to the whole process.
@MainActor
public final class TerminalDevice {
  /// What the program asks of the terminal.
  public let options: TerminalOptions
  /// The size when it was last asked: what is drawn on, at least 1×1. Of an immense window that is a
  /// part, and the rest stays blank.
  public private(set) var size = Size(columns: 80, rows: 24)
  /// Whether the terminal is taken over.
  public private(set) var isOpen = false

  /// The terminal; -1 while closed. It is a description of our own (the path is opened again), so
  /// non-blocking mode is not seen by the shell or by anyone else who uses the terminal.
  private(set) var descriptor: Int32 = -1
  /// Delivers the numbers of signals, one byte each; -1 while closed.
  private(set) var signals: Int32 = -1

  private let path: String
  private var modes: TerminalModes
  private var saved = termios()
  /// Whether the terminal was entered and not left since.
  private var hasEntered = false
  /// What the terminal has not taken yet.
  private var unwritten: [UInt8] = []
  private var written = 0

  /// Describes a terminal; nothing happens before `open()`.
  /// - Parameters:
  ///   - options: What to ask of it.
  ///   - path: The terminal's file; the process's own terminal unless told otherwise.
  public init(options: TerminalOptions = TerminalOptions(), path: String = "/dev/tty") {
    self.options = options
    self.path = path
    modes = TerminalModes(options: options)
  }

  /// Takes the terminal over.
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

  /// Gives the terminal back as it was. Also safe when it is gone or was never taken.
  /// - Parameter outstanding: The answers to DA1 that may still come; `nil` when the terminal does
  ///   not answer. Otherwise it is asked once more and input is read until all have come (at most
  ///   200 ms), so that nothing late is typed at the shell.
  func close(outstanding: Int? = nil) {
    guard isOpen else { return }
    isOpen = false
    leave(outstanding: outstanding)
    release()
  }

  /// Gives the terminal back, stops the process group as Ctrl-Z does, and takes the terminal again
  /// when the job is continued.
  /// - Parameter outstanding: As for `close`.
  func suspend(outstanding: Int? = nil) throws(TerminalError) {
    guard isOpen else { return }
    leave(outstanding: outstanding)
    cterminal_stop()
    try resume()
  }

  /// Takes the terminal again after the process was stopped without a chance to leave it.
  func resume() throws(TerminalError) {
    guard isOpen else { return }
    unwritten.removeAll()
    written = 0
    try enter()
    updateSize()
  }

  /// Asks for the size. What the terminal reported itself counts where the system does not know,
  /// as on a serial line.
  func updateSize(reported: Size? = nil) {
    let most = Screen.largestSize
    guard let known = Size(ofTerminal: descriptor) ?? reported else { return }
    size = Size(columns: min(known.columns, most.columns), rows: min(known.rows, most.rows))
  }

  /// The size of a cell in pixels as the system knows it; `nil` where it does not.
  var cellPixels: Size? {
    var width: Int32 = 0
    var height: Int32 = 0
    guard cterminal_cell_pixels(descriptor, &width, &height) == 0 else { return nil }
    return Size(columns: Int(width), rows: Int(height))
  }

  // MARK: Bytes

  /// What reading led to.
  enum ReadResult: Equatable {
    case bytes(Int)
    /// Nothing is there now.
    case nothing
    /// The terminal is gone.
    case closed
  }

  /// Reads what is there, without waiting.
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

  /// Whether bytes wait for a slow terminal. No frame should be made until then.
  var isWriting: Bool { written < unwritten.count }

  /// Writes bytes in one go as far as the terminal takes them now, and keeps the rest for
  /// `flush()`. False when the terminal is gone.
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

  /// Writes what waits, as far as the terminal takes it now. False when the terminal is gone.
  func flush() -> Bool {
    var isAlive = true
    unwritten.withUnsafeBytes { buffer in
      written += writeOnce(UnsafeRawBufferPointer(rebasing: buffer[written...]), isAlive: &isAlive)
    }
    return isAlive
  }

  /// Writes all that waits, however long the terminal takes. False when the terminal is gone.
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

  // MARK: In and out

  /// Asks for clusters measured whole, until the terminal is given back.
  func useGraphemeClusters() -> Bool {
    guard isOpen, !modes.setsGraphemeClusters else { return true }
    modes.setsGraphemeClusters = true
    return arm() && write(Array(TerminalModes.graphemeClusters.utf8))
  }

  /// Asks for the mouse by pixels, until the terminal is given back.
  func reportPixels() -> Bool {
    guard isOpen, options.usesMouse, !modes.reportsPixels else { return true }
    modes.reportsPixels = true
    return write(Array(TerminalModes.pixelReports.utf8))
  }

  /// Takes pictures of ours away when the terminal is given back.
  func removePicturesAtEnd() -> Bool {
    modes.keepsPictures = true
    return isOpen ? arm() : true
  }

  /// Tells the handlers of signals and exits how to leave.
  private func arm() -> Bool {
    let restore = modes.leave
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

  private func leave(outstanding: Int?) {
    // A frame cut in the middle is finished, within reason, so that it ends inside no sequence.
    if isWriting { wait(for: Int16(POLLOUT), milliseconds: 100) }
    _ = flush()
    unwritten.removeAll()
    written = 0
    var bytes = modes.leave
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

  /// Reads and forgets input up to a number of answers to DA1, for at most 200 ms however much comes.
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
  /// Makes sense of attributes that a program left raw when it was killed: what is given back at
  /// the end must serve a shell.
  fileprivate mutating func repair() {
    let isRaw = c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0
    guard isRaw else { return }
    c_iflag |= tcflag_t(ICRNL | IXON)
    c_oflag |= tcflag_t(OPOST | ONLCR)
    c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ECHOK | ISIG | IEXTEN)
  }
}
