import CTerminal
import Glibc

/// A full-screen program: shows a view, gives it what the person does, and draws again when
/// something changed.
///
///     let application = TerminalApplication(device: TerminalDevice()) { _ in AppView(store: store) }
///     store.onChange = { application.setNeedsDisplay() }
///     try application.run().endProcess()
///
/// `run()` blocks the main thread and serves the main actor from there: tasks and effects that hop
/// to the main actor run between events. Input is handled and drawn at once; drawing that effects
/// ask for happens at most 60 times a second. When nothing happens, nothing runs.
@MainActor
public final class TerminalApplication {
  /// Draws the views and gives them events.
  public let host: ViewHost
  /// What the terminal has said about itself so far.
  public private(set) var capabilities = Capabilities(environment: environmentVariables())

  /// The terminal has told something new about itself, as whether its ground is dark.
  public var onCapabilities: (@MainActor (Capabilities) -> Void)?
  /// The program is about to be stopped by Ctrl-Z or SIGTSTP.
  public var onSuspend: (@MainActor () -> Void)?
  /// The program goes on after it was stopped.
  public var onResume: (@MainActor () -> Void)?
  /// The window got or lost the keyboard focus.
  public var onFocus: (@MainActor (Bool) -> Void)?

  private let device: TerminalDevice
  private let draw: @MainActor (ViewHost, Size) -> [UInt8]
  private let layOut: @MainActor (ViewHost, Size) -> Void
  private var decoder = InputDecoder()
  private var decoded: [DecodedInput] = []
  private var end: ApplicationEnd?
  private var isHandlingInput = false

  /// What the terminal's type promises.
  private let promisedFeatures: ScreenFeatures
  /// Whether the terminal may say how many colours it has.
  private let isColorDepthOpen: Bool
  /// Whether the next frame may be another than the one shown.
  private var needsDisplay = true
  /// Whether events would be answered as an earlier view said.
  private var isLayoutStale = false
  /// Whether it may not wait for the frame rate: a person has pressed something.
  private var isUrgent = true
  private var pace = FramePace()
  private var lastInput = ContinuousClock.now
  private var waitingSince: ContinuousClock.Instant?
  private var shownTitle: String?
  /// Whether the terminal has said how large a cell is.
  private var answersCellPixels = false
  /// When the terminal was asked about itself.
  private var askedAt: ContinuousClock.Instant?

  /// How long a lone ESC waits for the rest of a sequence.
  private static let escapeDelay = Duration.milliseconds(25)
  /// How long anything may wait for quiet, when it never gets quiet.
  private static let longestEscapeDelay = Duration.milliseconds(250)
  /// After this, a terminal that has not answered does not answer at all.
  private static let longestAnswerDelay = Duration.seconds(1)

  /// An application that is not running yet.
  /// - Parameters:
  ///   - device: The terminal; `run()` takes it over.
  ///   - theme: How it looks.
  ///   - colorDepth: The colours to use; by default those that the environment promises, and all of
  ///     them when the terminal says that it has them.
  ///   - content: The view to show, asked for each frame.
  public init(
    device: TerminalDevice, theme: Theme = .dark, colorDepth: ColorDepth? = nil,
    content: @escaping @MainActor (Size) -> some View
  ) {
    self.device = device
    host = ViewHost(
      theme: theme, colorDepth: colorDepth ?? ColorDepth(environment: environmentVariables()))
    host.glyphs = GlyphSet(environment: environmentVariables())
    host.isConsole = environmentVariables()["TERM"] == "linux"
    promisedFeatures = ScreenFeatures(terminalType: environmentVariables()["TERM"])
    host.features = capabilities.screenFeatures.union(promisedFeatures)
    isColorDepthOpen = colorDepth == nil
    draw = { host, size in host.render(content(size), size: size) }
    layOut = { host, size in host.layOut(content(size), size: size) }
  }

  /// The terminal's size in cells.
  public var size: Size { device.size }

  /// Says that the view may look different now. Cheap, and cheap again: it is drawn once, soon.
  public func setNeedsDisplay() {
    needsDisplay = true
    isLayoutStale = true
    if isHandlingInput { isUrgent = true }
  }

  /// Draws everything again, because something else may have written on the terminal.
  public func repaint() {
    host.invalidate()
    needsDisplay = true
    isUrgent = true
  }

  /// Draws now what has changed, however soon after the last frame, and returns once the terminal has
  /// taken it. For programs that are asked to draw as fast as they can; others say
  /// ``setNeedsDisplay()``.
  public func display() {
    guard device.isOpen, end == nil else { return }
    check(device.finishWriting())
    isUrgent = true
    drawIfDue()
    check(device.finishWriting())
  }

  /// Ends `run()` after the event that is being handled.
  public func stop() {
    if end == nil { end = .stopped }
  }

  /// Runs until `stop()`, a signal to end, or the loss of the terminal, and leaves the terminal as
  /// it was.
  /// - Precondition: It is called on the main thread, from synchronous code.
  @discardableResult
  public func run() throws(TerminalError) -> ApplicationEnd {
    end = nil
    try device.open()
    defer { device.close(outstanding: outstandingAnswers) }
    let wakeup = Wakeup(terminal: device.descriptor, signals: device.signals)
    repaint()
    drawIfDue()
    askTerminal()
    while end == nil {
      let reasons = wakeup.wait(until: nextMoment, forOutput: device.isWriting)
      if reasons.contains(.output) { check(device.flush()) }
      if reasons.contains(.signal) { handle(signals: wakeup.takeSignals()) }
      if reasons.contains(.input) { readInput() }
      handleDecoded()
      // A key may have put something there since.
      wakeup.drainMainQueue()
      if end == nil { drawIfDue() }
    }
    return end ?? .stopped
  }

  /// Sends something that is not part of the screen; false when the terminal would not take it.
  @discardableResult
  func send(_ message: TerminalMessage) -> Bool {
    guard device.isOpen else { return true }
    guard let bytes = message.bytes(for: capabilities.name) else { return false }
    check(device.write(bytes))
    return true
  }

  // MARK: Drawing

  /// When something has to be done though nothing happens.
  private var nextMoment: ContinuousClock.Instant? {
    var moment: ContinuousClock.Instant?
    if needsDisplay && !device.isWriting { moment = pace.nextFrame }
    if let quiet = endOfWaiting { moment = min(moment ?? quiet, quiet) }
    return moment
  }

  private func drawIfDue() {
    // A slow terminal gets the newest frame once it has taken the last one.
    guard needsDisplay, !device.isWriting else { return }
    let now = ContinuousClock.now
    if !isUrgent, now < pace.nextFrame { return }
    needsDisplay = false
    isLayoutStale = false
    isUrgent = false
    pace.frameWasDrawn(at: now)
    var bytes = draw(host, device.size)
    if host.windowTitle != shownTitle {
      shownTitle = host.windowTitle
      let title = host.glyphs.shown(shownTitle ?? device.options.title ?? "")
      bytes += Array(TerminalModes.title(title).utf8)
    }
    if !bytes.isEmpty { check(device.write(bytes)) }
  }

  private func check(_ isAlive: Bool) {
    if !isAlive { close() }
  }

  private func close() {
    guard end == nil else { return }
    end = .closed
    _ = host.dispatch(.closed)
  }

  // MARK: Input

  private func readInput() {
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { buffer in
      // A bound, so that a terminal that never stops sending cannot keep us from drawing.
      for _ in 0..<16 {
        switch device.read(into: buffer) {
        case .bytes(let count):
          decoder.feed(buffer[..<count], into: &decoded)
          lastInput = .now
          if count < buffer.count { return }
        case .nothing: return
        case .closed:
          close()
          return
        }
      }
    }
  }

  /// When what the decoder holds back has to be decided; `nil` when it holds nothing.
  private var endOfWaiting: ContinuousClock.Instant? {
    guard decoder.isWaiting, let waitingSince else { return nil }
    return min(lastInput + Self.escapeDelay, waitingSince + Self.longestEscapeDelay)
  }

  private func handleDecoded() {
    if let quiet = endOfWaiting, ContinuousClock.now >= quiet { decoder.timeout(into: &decoded) }
    waitingSince = decoder.isWaiting ? waitingSince ?? .now : nil
    guard !decoded.isEmpty else { return }
    let inputs = decoded.coalescingMouse()
    decoded.removeAll(keepingCapacity: true)
    isHandlingInput = true
    defer { isHandlingInput = false }
    for input in inputs where end == nil {
      switch input {
      case .event(let event): handle(event)
      case .answer(let answer):
        if case .cellPixels = answer { answersCellPixels = true }
        learn(answer)
      }
    }
  }

  private func handle(_ event: Event) {
    let isTaken = dispatch(event)
    switch event {
    case .key("ctrl+z") where !isTaken: suspend()
    case .key("ctrl+c") where !isTaken: stop()
    case .key("ctrl+l") where !isTaken: repaint()
    case .focus(let isFocused): onFocus?(isFocused)
    case .resize(let size): resize(reported: size)
    case .key, .paste, .mouse, .resumed, .closed: break
    }
  }

  /// Gives an event to the view as it is now: the event before may have changed it, though nothing
  /// has been drawn yet.
  private func dispatch(_ event: Event) -> Bool {
    switch event {
    case .key, .paste, .mouse:
      if isLayoutStale {
        layOut(host, device.size)
        isLayoutStale = false
      }
    case .resize:
      return false
    case .focus, .resumed, .closed:
      break
    }
    let isTaken = host.dispatch(event)
    if isTaken { setNeedsDisplay() }
    return isTaken
  }

  // MARK: Signals

  private func handle(signals: [Int32]) {
    for signal in signals where end == nil {
      switch signal {
      case SIGWINCH: resize()
      case SIGTSTP: suspend()
      case SIGCONT: comeBack { () throws(TerminalError) in try device.resume() }
      default:
        cterminal_answer_signals()
        end = .signal(signal)
      }
    }
  }

  private func resize(reported: Size? = nil) {
    // The signal may have come first.
    if let reported, reported == device.size { return }
    device.updateSize(reported: reported)
    if capabilities.hasSixel || capabilities.hasPixelMouse {
      check(device.write(Capabilities.cellPixelsQuery))
    }
    learnCellPixels()
    // Even when the size is the same again: what the terminal did in between is not known.
    repaint()
    _ = host.dispatch(.resize(device.size))
  }

  private func suspend() {
    onSuspend?()
    let outstanding = outstandingAnswers
    comeBack { () throws(TerminalError) in try device.suspend(outstanding: outstanding) }
  }

  private func comeBack(_ resume: () throws(TerminalError) -> Void) {
    decoder.expectCells()
    do {
      try resume()
    } catch {
      // The terminal went away while the program was stopped.
      close()
      return
    }
    if capabilities.hasResizeReports { check(device.write(TerminalModes.resizeReports)) }
    // Answers that came while leaving were not read.
    if !capabilities.isComplete { askTerminal() }
    // Entering has set the one that the program began with.
    shownTitle = nil
    repaint()
    _ = host.dispatch(.resumed)
    onResume?()
  }

  // MARK: Capabilities

  private func askTerminal() {
    // The Linux console shows parts of questions that it does not know.
    guard environmentVariables()["TERM"] != "linux" else { return }
    askedAt = .now
    check(device.write(Capabilities.queries))
  }

  /// The answers that may still come, as `TerminalDevice.close` wants it.
  private var outstandingAnswers: Int? {
    if capabilities.isComplete { return 0 }
    guard let askedAt, ContinuousClock.now < askedAt + Self.longestAnswerDelay else { return nil }
    return 1
  }

  /// Takes the size of a cell from the system, for terminals that do not tell it themselves.
  private func learnCellPixels() {
    guard !answersCellPixels, let cell = device.cellPixels else { return }
    let answer = TerminalAnswer.cellPixels(width: cell.columns, height: cell.rows)
    decoder.learn(answer)
    learn(answer)
  }

  private func learn(_ answer: TerminalAnswer) {
    let before = capabilities
    capabilities.learn(answer)
    guard capabilities != before else { return }
    if capabilities.isComplete && !before.isComplete {
      if capabilities.cellPixels == nil { learnCellPixels() }
      if capabilities.mayAskForGraphics { check(device.write(Capabilities.graphicsQuery)) }
    }
    let features = capabilities.screenFeatures.union(promisedFeatures)
    if host.features != features || host.cellPixels != capabilities.cellPixels {
      host.features = features
      host.cellPixels = capabilities.cellPixels
      setNeedsDisplay()
    }
    if isColorDepthOpen, host.colorDepth > .none, capabilities.colorDepth > host.colorDepth {
      host.colorDepth = capabilities.colorDepth
      setNeedsDisplay()
    }
    if capabilities.hasKittyGraphics { check(device.removePicturesAtEnd()) }
    if capabilities.prefersDark != before.prefersDark {
      check(device.write(Capabilities.colorsQuery))
    }
    if capabilities.hasPixelMouse, capabilities.cellPixels != nil { check(device.reportPixels()) }
    if capabilities.canSetGraphemeClusters { check(device.useGraphemeClusters()) }
    // A terminal that does not know a question may have shown a part of it.
    if capabilities.isComplete && !before.isComplete && !capabilities.answersModeQueries {
      repaint()
    }
    if capabilities.hasResizeReports && !before.hasResizeReports {
      check(device.write(TerminalModes.resizeReports))
    }
    onCapabilities?(capabilities)
  }
}

extension [DecodedInput] {
  /// Without the mouse's movements that the next one makes obsolete.
  fileprivate func coalescingMouse() -> [DecodedInput] {
    guard count > 1 else { return self }
    var result: [DecodedInput] = []
    result.reserveCapacity(count)
    for input in self {
      if let last = result.last?.motion, last == input.motion { result.removeLast() }
      result.append(input)
    }
    return result
  }
}

extension DecodedInput {
  /// What the mouse does while moving, apart from where; `nil` for everything else.
  fileprivate var motion: MouseEvent? {
    guard case .event(.mouse(var mouse)) = self else { return nil }
    switch mouse.kind {
    case .move, .drag:
      mouse.position = .zero
      mouse.rowFraction = 0
      return mouse
    case .press, .release, .wheelUp, .wheelDown, .wheelLeft, .wheelRight:
      return nil
    }
  }
}

/// The process's environment.
private func environmentVariables() -> [String: String] {
  var variables: [String: String] = [:]
  let names = [
    "TERM", "COLORTERM", "COLORFGBG", "NO_COLOR", "CLICOLOR", "TMUX", "STY", "LC_ALL", "LC_CTYPE",
    "LANG",
  ]
  for name in names {
    if let value = getenv(name) { variables[name] = String(cString: value) }
  }
  return variables
}
