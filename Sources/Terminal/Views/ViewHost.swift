/// Connects a view to a terminal: renders it to bytes and dispatches events to the handlers that it
/// declares.
///
///     let host = ViewHost(theme: .dark, colorDepth: .trueColor)
///     terminal.write(host.render(AppView(store: store), size: terminal.size))
///     if !host.dispatch(event) { … not handled … }
@MainActor
public final class ViewHost {
  private let tree: ViewTree
  private var screen: Screen
  /// The point where the left button was pressed, until it is released.
  private var pressed: Point?
  /// The region on which the left button is held. It is kept, because the view may look different by
  /// the time the button is released, and the end of a hold must never be missed.
  private var held: HitRegion?

  /// The box that was copied last, until the next key.
  private var copied: Rect?
  /// How many boxes further the next frame copies; 0 for none.
  private var stepsToCopy = 0

  /// The look of each role, given enough colours; see ``Theme/adapted(to:isConsole:)``. A change takes effect
  /// in the next frame.
  public var theme: Theme {
    didSet { adaptTheme() }
  }

  /// The terminal's colour depth. A change repaints everything.
  public var colorDepth: ColorDepth {
    get { screen.depth }
    set {
      guard newValue != screen.depth else { return }
      let old = screen
      screen = Screen(depth: newValue, links: tree.links)
      screen.takePlace(of: old)
      adaptTheme()
    }
  }

  /// The characters that the terminal can show; the theme can restrict them further.
  public var glyphs = GlyphSet.unicode {
    didSet { adaptTheme() }
  }

  /// Whether frames are a few lines below the cursor rather than the whole screen.
  var isInline: Bool {
    get { screen.isInline }
    set {
      screen.isInline = newValue
      adaptTheme()
    }
  }

  /// Whether the terminal reflows its lines when its width changes.
  var reflows: Bool {
    get { screen.reflows }
    set { screen.reflows = newValue }
  }

  /// Prints a text above the next inline frame.
  func print(_ text: String) {
    screen.printed.append(text)
    invalidate()
  }

  /// Ends inline frames, so that the shell or another first frame can go on below the last one, or
  /// where that was.
  /// - Returns: The bytes to write.
  func leaveLines(erasing isErased: Bool) -> [UInt8] { screen.leaveLines(erasing: isErased) }

  /// Whether the terminal is the Linux console, which has no bright background colours.
  public var isConsole = false {
    didSet { adaptTheme() }
  }

  private func adaptTheme() {
    tree.theme = theme.adapted(to: colorDepth, isConsole: isConsole)
    if glyphs != .unicode, tree.theme.glyphs != .ascii { tree.theme.glyphs = glyphs }
    screen.canvas =
      tree.theme.paintsCanvas && !isInline
      ? Style(foreground: tree.theme.canvas.text, background: tree.theme.canvas.background)
      : .plain
  }

  /// The optional features that the terminal supports.
  public var features: ScreenFeatures {
    get { screen.features }
    set {
      if newValue != screen.features { tree.lookGeneration += 1 }
      screen.features = newValue
      tree.showsLinks = newValue.contains(.hyperlinks)
    }
  }

  /// The size of a cell in pixels, for pictures; `nil` if the terminal hasn't reported it.
  public var cellPixels: Size? {
    get { screen.cellPixels }
    set {
      if newValue != screen.cellPixels { tree.lookGeneration += 1 }
      screen.cellPixels = newValue
      tree.cellPixels = newValue
    }
  }

  /// Whether the user prefers reduced motion: no spinners, sliding or blinking. A view can override
  /// this for its content with ``View/reducedMotion(_:)``.
  public var reducesMotion: Bool {
    get { tree.reducesMotion }
    set { tree.reducesMotion = newValue }
  }

  /// The time of the next frame on a clock that only goes forwards, by which views move; `nil`, the
  /// default, if nothing moves.
  public var time: Duration? {
    get { tree.time }
    set { tree.time = newValue }
  }

  /// The ``time`` at which the last frame is out of date because something in it moves.
  public var nextFrameTime: Duration? { tree.nextFrameTime }

  /// Creates a host that hasn't shown anything yet.
  public init(theme: Theme = .dark, colorDepth: ColorDepth = .trueColor) {
    self.theme = theme
    tree = ViewTree(theme: theme.adapted(to: colorDepth))
    screen = Screen(depth: colorDepth, links: tree.links)
    adaptTheme()
  }

  /// Draws a view and returns the bytes to write to the terminal, none if it already shows the
  /// view.
  ///
  /// The returned array's storage is reused for the next frame, provided the caller has released
  /// the array by then.
  public func render(_ view: some View, size: Size) -> [UInt8] {
    draw(view, size: size)
    let cursor = tree.cursor
    return screen.present(
      cursor: cursor?.point, isCursorVisible: cursor?.isVisible ?? false,
      shape: cursor?.shape ?? .standard)
  }

  /// Lays out a view without drawing it, so that the next event is dispatched to it: for events
  /// that arrive faster than frames are drawn.
  public func layOut(_ view: some View, size: Size) {
    tree.layOut(view, size: size.clamped)
  }

  /// Draws a view and returns the frame, without output for a terminal.
  public func frame(_ view: some View, size: Size) -> Frame {
    draw(view, size: size)
    let cursor = tree.cursor
    return Frame(
      screen: screen,
      canvas: Style(foreground: theme.canvas.text, background: theme.canvas.background),
      cursor: cursor?.isVisible == true ? cursor?.point : nil)
  }

  /// Discards what is known about the terminal's contents, so that the next frame repaints
  /// everything.
  public func invalidate() {
    screen.invalidate()
  }

  /// The title set by a view of the last frame, if any.
  public var windowTitle: String? { tree.windowTitle }

  /// The number of nodes in the last frame, for tests of what a frame costs.
  var nodeCount: Int { tree.nodes.count }

  /// The number of styles that the screen knows, for tests of what a program keeps.
  var styleCount: Int { screen.styles.count }

  private func draw(_ view: some View, size: Size) {
    let size = size.clamped
    if tree.links.isFull || screen.isFull {
      tree.links.removeAll()
      screen.emptyTables()
      tree.lookGeneration += 1
    }
    tree.layOut(view, size: size)
    screen.begin(size: size)
    tree.draw(on: Canvas(screen: screen, glyphs: tree.theme.glyphs))
    copyPanel()
  }

  /// Lets the next frame copy the next of its boxes, from the top left, and mark it until another key is
  /// pressed.
  public func copyNextPanel() { stepsToCopy += 1 }

  /// The text in the box that the last frame copied, without the space around it; `nil` if it copied
  /// none.
  public private(set) var copiedText: String?

  private func copyPanel() {
    copiedText = nil
    let panels = stepsToCopy > 0 ? tree.panels : []
    if !panels.isEmpty {
      let last = copied.flatMap(panels.firstIndex) ?? -1
      let next = panels[(last + stepsToCopy) % panels.count]
      copied = next
      copiedText = screen.drawnText(in: next)
    }
    stepsToCopy = 0
    guard let copied else { return }
    screen.restyle(in: copied) { style in
      var style = style
      style.attributes.formSymmetricDifference(.reverse)
      return style
    }
  }

  // MARK: Events

  /// The commands that work now, most important first. Each key appears once.
  public var commands: [Command] { tree.commands(above: tree.topModalLayer) }

  /// Whether the view that has the keys waits for something; see ``View/holdingKeys(while:)``.
  var holdsKeys: Bool {
    let layer = tree.topModalLayer
    return tree.waitingLayers.contains { $0 >= layer }
  }

  /// Whether an event is to be kept while the view waits. Leaving and what works everywhere, such
  /// as an emergency key, act at once.
  func holds(_ event: Event) -> Bool {
    switch event {
    case .paste: return true
    case .key(let press):
      guard press.key != .escape, !press.modifiers.contains(.control) else { return false }
      let keys = [press] + press.alternatives
      return !tree.commands(above: tree.topModalLayer).contains { command in
        command.scope == .global && command.key.map(keys.contains) == true
      }
    case .mouse, .focus, .resize, .resumed, .closed: return false
    }
  }

  /// Dispatches an event according to the last frame.
  ///
  /// Keys go first to the focused text field, then to commands and lists from the inside out. Only
  /// the topmost sheet or dialog receives them, except for global commands. Mouse events go to the
  /// topmost view under the pointer.
  ///
  /// - Returns: Whether the event was handled.
  @discardableResult
  public func dispatch(_ event: Event) -> Bool {
    switch event {
    case .key(let press): dispatch(press)
    case .paste: tree.focusedField?.handle(event) ?? false
    case .mouse(let mouse): dispatch(mouse)
    case .focus(false), .resize, .resumed: endHold()
    case .focus(true), .closed: false
    }
  }

  private func dispatch(_ press: KeyPress) -> Bool {
    let (wasMarked, steps) = (copied != nil, stepsToCopy)
    let isTaken = answer(press)
    if stepsToCopy == steps { (copied, stepsToCopy) = (nil, 0) }
    return isTaken || wasMarked
  }

  private func answer(_ press: KeyPress) -> Bool {
    let field = tree.focusedField
    if field?.handle(.key(press)) == true || act(on: press) { return true }
    // In a field a letter is text, whatever stands at its position elsewhere.
    guard field == nil || press.text == nil else { return false }
    return press.alternatives.contains { alternative in
      field?.handle(.key(alternative)) == true || act(on: alternative, isExact: false)
    }
  }

  /// Does what a key does, first from the inside out, then globally.
  /// - Parameter isExact: Whether it is the key that was pressed, not another one that may have been
  ///   meant.
  private func act(on press: KeyPress, isExact: Bool = true) -> Bool {
    let layer = tree.topModalLayer
    var answers: [@MainActor () -> Bool] = []
    var fallbacks: [@MainActor () -> Bool] = []
    var globals: [@MainActor () -> Bool] = []
    tree.forEachResponder { responder in
      switch responder.kind {
      case .command(let command)
      where command.key == press && command.isEnabled && (isExact || !command.needsExactKey):
        let answer: @MainActor () -> Bool = {
          command.action()
          return true
        }
        if responder.layer >= layer {
          answers.append(answer)
        } else if command.scope == .global {
          globals.append(answer)
        }
      case .keys(let keys) where responder.layer >= layer:
        answers.append { keys.handle(press, .primary) }
        fallbacks.append { keys.handle(press, .fallback) }
      default: break
      }
    }
    return (answers + globals + fallbacks).contains { $0() }
  }

  private func endHold() -> Bool {
    guard case .hold(let action) = held?.action else { return false }
    held = nil
    action(false)
    return true
  }

  private func dispatch(_ mouse: MouseEvent) -> Bool {
    if let region = tree.region(at: mouse.position, where: \.isAny),
      case .any(let action) = region.action
    {
      var inside = mouse
      inside.position = region.place(of: mouse.position)
      if action(inside) { return true }
    }
    switch mouse.kind {
    case .press(.left):
      _ = endHold()
      pressed = mouse.position
      guard
        let region = tree.region(at: mouse.position, where: { $0.isTap || $0.isHold })
      else { return false }
      switch region.action {
      case .tap(let action): action(region.place(of: mouse.position))
      case .hold(let action):
        held = region
        action(true)
      default: return false
      }
      return true
    case .drag(.left):
      if let held, !held.visible.contains(mouse.position) { return endHold() }
      // Look up the region again: frames may have been drawn since the press.
      guard let pressed, let region = tree.region(at: pressed, where: \.isDrag),
        case .drag(let action) = region.action
      else { return false }
      action(region.place(of: mouse.position), mouse.rowFraction)
      return true
    case .release(.left):
      defer { pressed = nil }
      return endHold()
    case .wheelUp, .wheelDown:
      guard let region = tree.region(at: mouse.position, where: \.isScroll),
        case .scroll(let action) = region.action
      else { return false }
      action(mouse.kind == .wheelUp ? -1 : 1)
      return true
    default:
      return false
    }
  }
}

extension HitRegion {
  /// Converts a point of the screen to coordinates relative to the region's top left.
  fileprivate func place(of point: Point) -> Point {
    point.offset(columns: -rect.minColumn, rows: -rect.minRow)
  }
}

extension Size {
  /// The size with negative dimensions replaced by 0.
  fileprivate var clamped: Size { Size(columns: max(0, columns), rows: max(0, rows)) }
}
