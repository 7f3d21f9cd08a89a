import CTerminal
import Glibc

/// A program on the full screen, or in a few lines of it: shows a view, dispatches input to it, and
/// redraws it when something has changed.
///
///     let application = TerminalApplication(device: TerminalDevice()) { _ in AppView(store: store) }
///     store.onChange = { application.setNeedsDisplay() }
///     try application.run().endProcess()
///
/// `run()` blocks the main thread and serves the main actor from there: tasks and effects on the
/// main actor run between events. Input is handled and drawn immediately; redrawing requested by
/// effects is limited to 60 frames per second. When nothing happens, nothing runs.
@MainActor
public final class TerminalApplication {
  /// Draws the views and dispatches events to them.
  public let host: ViewHost
  /// What the terminal has reported about itself so far.
  public private(set) var capabilities = Capabilities(environment: environmentVariables())

  /// Called when the terminal reports something new about itself, such as whether its background is
  /// dark.
  public var onCapabilities: (@MainActor (Capabilities) -> Void)?
  /// Called before the program is stopped by Ctrl-Z or SIGTSTP.
  public var onSuspend: (@MainActor () -> Void)?
  /// Called when the program continues after being stopped.
  public var onResume: (@MainActor () -> Void)?
  /// Called when a key did nothing.
  public var onUnusedKey: (@MainActor (KeyPress) -> Void)?
  /// Called with a pasted text that no field took.
  public var onUnusedPaste: (@MainActor (String) -> Void)?
  /// Called when the window gains or loses the keyboard focus.
  public var onFocus: (@MainActor (Bool) -> Void)?

  private let device: TerminalDevice
  /// Whether the theme is dark or light as the terminal is.
  private let followsTerminal: Bool
  /// Whether the last inline frame is removed at the end.
  private let erasesAtEnd: Bool
  private let draw: @MainActor (ViewHost, Size) -> [UInt8]
  private let layOut: @MainActor (ViewHost, Size) -> Void
  private var input = InputQueue(now: .now)
  /// Whether input is left that could be handled now.
  private var hasInput = false
  /// The time since when keys have been kept for a view that waits.
  private var holdingSince: ContinuousClock.Instant?
  private var end: ApplicationEnd?
  private var isHandlingInput = false

  /// The features promised by the terminal's type.
  private let promisedFeatures: ScreenFeatures
  /// Whether the colour depth can be adjusted to what the terminal reports.
  private let isColorDepthOpen: Bool
  /// Whether the view might differ from the frame shown.
  private var needsDisplay = true
  /// Whether the layout belongs to an earlier view, so that events would be dispatched incorrectly.
  private var isLayoutStale = false
  /// Whether drawing can't wait for the frame rate, because the user has pressed something.
  private var isUrgent = true
  private var pace = FramePace()
  /// The start of the clock by which views move.
  private let start = ContinuousClock.now
  private var lastFrame = ContinuousClock.now
  private var shownTitle: String?
  /// Whether the window has the focus; `nil` until the terminal says so.
  private var isFocused: Bool?
  /// Whether the terminal has reported the size of a cell.
  private var answersCellPixels = false
  /// When the terminal was queried.
  private var askedAt: ContinuousClock.Instant?

  /// How long input is handled before signals, effects and new input get their turn.
  private static let inputTime = Duration.milliseconds(40)
  /// The longest time without a frame while input is handled.
  private static let longestFrameDelay = Duration.milliseconds(100)
  /// The longest time that keys are kept for a view that waits. A server has 12 seconds.
  private static let longestHold = Duration.seconds(15)
  /// How long to wait before concluding that the terminal doesn't answer.
  private static let longestAnswerDelay = Duration.seconds(1)

  /// Creates an application that isn't running yet.
  /// - Parameters:
  ///   - device: The terminal; `run()` takes it over.
  ///   - theme: The appearance; `nil` for dark or light, as the terminal is.
  ///   - colorDepth: The colours to use. By default, those promised by the environment, or more if
  ///     the terminal reports them.
  ///   - erasesAtEnd: Whether the last frame is removed at the end, if it is inline. If not, the
  ///     shell goes on below it.
  ///   - content: Returns the view to show; called for each frame.
  public init(
    device: TerminalDevice, theme: Theme? = nil, colorDepth: ColorDepth? = nil,
    erasesAtEnd: Bool = false, content: @escaping @MainActor (Size) -> some View
  ) {
    self.device = device
    self.erasesAtEnd = erasesAtEnd
    followsTerminal = theme == nil
    host = ViewHost(
      theme: theme ?? .dark,
      colorDepth: colorDepth ?? ColorDepth(environment: environmentVariables()))
    host.glyphs = GlyphSet(environment: environmentVariables())
    host.isConsole = environmentVariables()["TERM"] == "linux"
    host.isInline = device.options.inlineRows != nil
    promisedFeatures = ScreenFeatures(terminalType: environmentVariables()["TERM"])
    isColorDepthOpen = colorDepth == nil
    draw = { host, size in host.render(content(size), size: size) }
    layOut = { host, size in host.layOut(content(size), size: size) }
    host.features = features
    followTerminal()
  }

  /// Creates an application on the terminal, with its standard options.
  ///
  ///     let application = TerminalApplication { ClockView() }
  ///     try application.run().endProcess()
  ///
  /// A key, a click or a paste that a view takes draws the next frame. After any other change, call
  /// ``setNeedsDisplay()``. Ctrl-C ends the program unless a view takes it.
  /// - Parameters:
  ///   - theme: The appearance; `nil` for dark or light, as the terminal is.
  ///   - content: Returns the view to show; called for each frame.
  public convenience init(
    theme: Theme? = nil, content: @escaping @MainActor () -> some View
  ) {
    self.init(device: TerminalDevice(), theme: theme) { _ in content() }
  }

  /// Creates an application in a few lines below the prompt. What the shell has shown stays, and the
  /// mouse selects and scrolls as usual.
  ///
  ///     let application = TerminalApplication(inline: 3) { ProgressBar(value: done) }
  ///     try application.run().endProcess()
  ///
  /// - Parameters:
  ///   - rows: The number of lines; fewer if the terminal is less high.
  ///   - erasesAtEnd: Whether the lines are removed at the end, as those of a picker are. If not,
  ///     the last frame stays.
  ///   - theme: The appearance; `nil` for dark or light, as the terminal is.
  ///   - content: Returns the view to show; called for each frame.
  public convenience init(
    inline rows: Int, erasesAtEnd: Bool = false, theme: Theme? = nil,
    content: @escaping @MainActor () -> some View
  ) {
    self.init(
      device: TerminalDevice(options: TerminalOptions(inlineRows: rows)), theme: theme,
      erasesAtEnd: erasesAtEnd
    ) { _ in content() }
  }

  /// Prints a line above the lines of an inline application. It stays there, like the output of
  /// other programs. A full-screen application prints nothing.
  public func print(_ line: String) {
    guard host.isInline else { return }
    for part in line.split(separator: "\n", omittingEmptySubsequences: false) {
      host.print(String(part))
    }
    setNeedsDisplay()
  }

  /// The terminal's size in cells.
  public var size: Size { device.size }

  /// Marks the view as changed, so that it is redrawn soon. Cheap to call repeatedly.
  public func setNeedsDisplay() {
    needsDisplay = true
    isLayoutStale = true
    if isHandlingInput { isUrgent = true }
  }

  /// Redraws everything, because something else may have written to the terminal.
  public func repaint() {
    host.invalidate()
    needsDisplay = true
    isUrgent = true
  }

  /// Draws pending changes now, regardless of the frame rate, and returns once the terminal has
  /// accepted the output. For programs that must draw as fast as they can; others should call
  /// ``setNeedsDisplay()``.
  public func display() {
    guard device.isOpen, end == nil else { return }
    check(device.finishWriting())
    isUrgent = true
    drawIfDue()
    check(device.finishWriting())
  }

  /// Ends `run()` after the current event.
  public func stop() {
    if end == nil { end = .stopped }
  }

  /// Runs until `stop()` is called, a signal ends the program or the terminal disappears, then
  /// restores the terminal.
  /// - Precondition: Called on the main thread, from synchronous code.
  @discardableResult
  public func run() throws(TerminalError) -> ApplicationEnd {
    end = nil
    try device.open()
    defer { close(device) }
    let wakeup = EventWaiter(terminal: device.descriptor, signals: device.signals)
    repaint()
    drawIfDue()
    askTerminal()
    while end == nil {
      let reasons = wakeup.wait(until: nextMoment, forOutput: device.isWriting)
      if reasons.contains(.output) { check(device.flush()) }
      if reasons.contains(.signal) { handle(signals: wakeup.takeSignals()) }
      if reasons.contains(.input) { readInput() }
      handleInput()
      // Handling input may have queued work.
      wakeup.drainMainQueue()
      if end == nil { drawIfDue() }
    }
    return end ?? .stopped
  }

  /// Sends a message that isn't part of the screen; returns `false` if the terminal wouldn't accept
  /// it.
  @discardableResult
  func send(_ message: TerminalMessage) -> Bool {
    guard device.isOpen else { return true }
    guard let bytes = message.bytes(for: capabilities.name) else { return false }
    check(device.write(bytes))
    return true
  }

  /// Restores the terminal. The last inline frame shows how it ended.
  private func close(_ device: TerminalDevice) {
    if host.isInline, end != .closed {
      (needsDisplay, isUrgent, hasInput) = (true, true, false)
      drawIfDue()
    }
    device.close(
      outstanding: outstandingAnswers, end: host.leaveLines(erasing: erasesAtEnd))
  }

  // MARK: Drawing

  /// The time at which something must be done even if no event arrives.
  private var nextMoment: ContinuousClock.Instant? {
    if hasInput { return .now }
    let frame = needsDisplay && !device.isWriting ? pace.nextFrame : nil
    let hold = holdingSince.map { $0 + Self.longestHold }
    let motion = needsDisplay || device.isWriting ? nil : host.nextFrameTime.map { start + $0 }
    return [frame, input.deadline, hold, motion].compactMap(\.self).min()
  }

  private func drawIfDue() {
    if let next = host.nextFrameTime, ContinuousClock.now >= start + next { needsDisplay = true }
    // A slow terminal gets the latest frame once it has accepted the previous one.
    guard needsDisplay, !device.isWriting else { return }
    let now = ContinuousClock.now
    // One frame for all input that is there, unless that takes long.
    if hasInput, now < lastFrame + Self.longestFrameDelay { return }
    if !isUrgent, now < pace.nextFrame { return }
    lastFrame = now
    needsDisplay = false
    isLayoutStale = false
    isUrgent = false
    pace.frameWasDrawn(at: now)
    host.time = now - start
    var bytes = draw(host, device.size)
    if host.windowTitle != shownTitle {
      shownTitle = host.windowTitle
      let title = host.glyphs.shown(shownTitle ?? device.options.title ?? "")
      bytes += Array(TerminalModes.title(title).utf8)
    }
    if !bytes.isEmpty { check(device.write(bytes)) }
    if let text = host.copiedText { copy(text) }
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
      // Bounded, so that endless input can't prevent drawing.
      for _ in 0..<16 {
        switch device.read(into: buffer) {
        case .bytes(let count):
          input.feed(buffer[..<count], at: .now)
          if count < buffer.count { return }
        case .nothing: return
        case .closed:
          close()
          return
        }
      }
    }
  }

  /// Handles the input that is there, for a limited time.
  private func handleInput() {
    let start = ContinuousClock.now
    input.settle(at: start)
    input.endDrain()
    isHandlingInput = true
    defer { isHandlingInput = false }
    hasInput = false
    while end == nil {
      guard let next = nextInput(at: start) else { return }
      switch next {
      case .event(let event): handle(event)
      case .answer(let answer):
        if case .cellPixels = answer { answersCellPixels = true }
        update(with: answer)
      }
      if ContinuousClock.now >= start + Self.inputTime {
        hasInput = !input.isEmpty
        return
      }
    }
  }

  /// Returns the next input. Keys are kept while a view waits for what was asked for, so that they
  /// reach what comes after it.
  private func nextInput(at now: ContinuousClock.Instant) -> DecodedInput? {
    guard !input.isEmpty else {
      holdingSince = nil
      return nil
    }
    updateLayout()
    guard host.holdsKeys, holdingSince.map({ now < $0 + Self.longestHold }) ?? true else {
      // Who presses Enter again and again, because nothing happens, wants it once.
      if holdingSince != nil { input.dropLeadingEnters() }
      holdingSince = nil
      return input.next()
    }
    holdingSince = holdingSince ?? now
    return input.next { host.holds($0) }
  }

  private func handle(_ event: Event) {
    noteFocus(event)
    let isTaken = dispatch(event)
    switch event {
    case .key(.character("z", .control)) where !isTaken: suspend()
    case .key(.character("c", .control)) where !isTaken: stop()
    case .key(.character("l", .control)) where !isTaken: repaint()
    case .key(let press) where !isTaken: onUnusedKey?(press)
    case .paste(let text) where !isTaken: onUnusedPaste?(text)
    case .resize(let size): resize(reported: size)
    case .key, .paste, .mouse, .focus, .resumed, .closed: break
    }
  }

  /// Reports a change of the focus. A key or a click has it, too: some terminals, and tmux between
  /// its windows, don't say that it is back.
  private func noteFocus(_ event: Event) {
    let hasFocus: Bool
    switch event {
    case .focus(let isReported): hasFocus = isReported
    // A terminal that hasn't reported the focus yet may never do.
    case .key where isFocused != nil, .paste where isFocused != nil: hasFocus = true
    case .mouse(let mouse) where isFocused != nil:
      guard case .press = mouse.kind else { return }
      hasFocus = true
    case .key, .paste, .mouse, .resize, .resumed, .closed: return
    }
    guard hasFocus != isFocused else { return }
    isFocused = hasFocus
    onFocus?(hasFocus)
  }

  /// Dispatches an event to the current view, which the previous event may have changed even if
  /// nothing has been drawn since.
  private func dispatch(_ event: Event) -> Bool {
    switch event {
    case .key, .paste, .mouse: updateLayout()
    case .resize:
      return false
    case .focus, .resumed, .closed:
      break
    }
    let isTaken = host.dispatch(event)
    if isTaken { setNeedsDisplay() }
    return isTaken
  }

  private func updateLayout() {
    guard isLayoutStale else { return }
    host.time = .now - start
    layOut(host, device.size)
    isLayoutStale = false
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
    // The signal may have arrived first.
    if let reported, device.drawnSize(of: reported) == device.size { return }
    device.updateSize(reported: reported)
    if capabilities.hasSixel || capabilities.hasPixelMouse {
      check(device.write(Capabilities.cellPixelsQuery))
    }
    learnCellPixels()
    // Repaint even if the size is unchanged: the terminal may have altered its contents in the
    // meantime.
    repaint()
    _ = host.dispatch(.resize(device.size))
  }

  private func suspend() {
    onSuspend?()
    let outstanding = outstandingAnswers
    let end = host.leaveLines(erasing: true)
    comeBack { () throws(TerminalError) in
      try device.suspend(outstanding: outstanding, end: end)
    }
  }

  private func comeBack(_ resume: () throws(TerminalError) -> Void) {
    input.expectCells()
    do {
      try resume()
    } catch {
      // The terminal disappeared while the program was stopped.
      close()
      return
    }
    if capabilities.hasResizeReports { check(device.write(TerminalModes.resizeReports)) }
    // The cursor isn't where the last frame left it.
    _ = host.leaveLines(erasing: false)
    // Answers that arrived while leaving were not read.
    if !capabilities.isComplete { askTerminal() }
    // Entering full-screen mode has set the initial title.
    shownTitle = nil
    repaint()
    _ = host.dispatch(.resumed)
    onResume?()
  }

  // MARK: Capabilities

  private func followTerminal() {
    guard followsTerminal else { return }
    let theme: Theme = capabilities.isDark == false ? .light : .dark
    // Paint no background until the terminal has answered all queries.
    let isUnknown = capabilities.isComplete && capabilities.isDark == nil
    host.theme = isUnknown ? theme.adapted(toBackground: nil) : theme
    setNeedsDisplay()
  }

  /// The features to use. Moving rows and showing pictures need to know the row on the screen.
  private var features: ScreenFeatures {
    let features = capabilities.screenFeatures.union(promisedFeatures)
    return host.isInline ? features.subtracting([.insertLines, .kittyGraphics, .sixel]) : features
  }

  private func askTerminal() {
    // The Linux console displays parts of queries it doesn't know.
    guard environmentVariables()["TERM"] != "linux" else { return }
    askedAt = .now
    check(device.write(Capabilities.queries))
  }

  /// The number of answers still expected, for `TerminalDevice.close`.
  private var outstandingAnswers: Int? {
    if capabilities.isComplete { return 0 }
    guard let askedAt, ContinuousClock.now < askedAt + Self.longestAnswerDelay else { return nil }
    return 1
  }

  /// Gets the size of a cell from the system, for terminals that don't report it themselves.
  private func learnCellPixels() {
    guard !answersCellPixels, let cell = device.cellPixels else { return }
    let answer = TerminalAnswer.cellPixels(width: cell.columns, height: cell.rows)
    input.update(with: answer)
    update(with: answer)
  }

  private func update(with answer: TerminalAnswer) {
    let before = capabilities
    capabilities.update(with: answer)
    guard capabilities != before else { return }
    if capabilities.isComplete && !before.isComplete {
      if capabilities.cellPixels == nil { learnCellPixels() }
      if capabilities.mayAskForGraphics { check(device.write(Capabilities.graphicsQuery)) }
    }
    host.reflows = capabilities.reflows
    let features = features
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
    // A terminal that doesn't understand a query may have displayed part of it.
    if capabilities.isComplete && !before.isComplete && !capabilities.answersModeQueries {
      repaint()
    }
    if capabilities.hasResizeReports && !before.hasResizeReports {
      check(device.write(TerminalModes.resizeReports))
    }
    followTerminal()
    onCapabilities?(capabilities)
  }
}

/// Returns the environment variables that describe the terminal.
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
