/// Shows a view on a terminal: turns it into the bytes to write, and turns events into calls of
/// what the view declares.
///
///     let host = ViewHost(theme: .dark, colorDepth: .trueColor)
///     terminal.write(host.render(AppView(store: store), size: terminal.size))
///     if !host.dispatch(event) { … nobody wanted it … }
@MainActor
public final class ViewHost {
  private let tree: ViewTree
  private var screen: Screen
  /// Where the left button was pressed, until it is released.
  private var pressed: Point?

  /// How roles look where the terminal has the colours; see ``Theme/adapted(to:)``. A change shows
  /// in the next frame.
  public var theme: Theme {
    didSet { adaptTheme() }
  }

  /// How many colours the terminal shows. A change repaints everything.
  public var colorDepth: ColorDepth {
    get { screen.depth }
    set {
      guard newValue != screen.depth else { return }
      let old = screen
      screen = Screen(depth: newValue, links: tree.links)
      screen.features = old.features
      screen.cellPixels = old.cellPixels
      adaptTheme()
    }
  }

  /// The characters that the terminal shows; the theme may ask for fewer.
  public var glyphs = GlyphSet.unicode {
    didSet { adaptTheme() }
  }

  /// Whether the terminal is the Linux console, which has no bright grounds.
  public var isConsole = false {
    didSet { adaptTheme() }
  }

  private func adaptTheme() {
    tree.theme = theme.adapted(to: colorDepth, isConsole: isConsole)
    if glyphs != .unicode, tree.theme.glyphs != .ascii { tree.theme.glyphs = glyphs }
    screen.canvas =
      tree.theme.paintsCanvas
      ? Style(foreground: tree.theme.canvas.text, background: tree.theme.canvas.background)
      : .plain
  }

  /// What the terminal understands beyond what every terminal does.
  public var features: ScreenFeatures {
    get { screen.features }
    set {
      screen.features = newValue
      tree.showsLinks = newValue.contains(.hyperlinks)
    }
  }

  /// The size of a cell in pixels, for pictures; `nil` where the terminal has not said.
  public var cellPixels: Size? {
    get { screen.cellPixels }
    set {
      screen.cellPixels = newValue
      tree.cellPixels = newValue
    }
  }

  /// Whether the person wants nothing to move by itself: no spinners, no sliding, no blinking. A
  /// view can say otherwise for its own part by ``View/reducedMotion(_:)``.
  public var reducesMotion: Bool {
    get { tree.reducesMotion }
    set { tree.reducesMotion = newValue }
  }

  /// A host that has shown nothing yet.
  public init(theme: Theme = .dark, colorDepth: ColorDepth = .trueColor) {
    self.theme = theme
    tree = ViewTree(theme: theme.adapted(to: colorDepth))
    screen = Screen(depth: colorDepth, links: tree.links)
    adaptTheme()
  }

  /// Draws a view and returns the bytes that make the terminal show it, none when it already does.
  ///
  /// The array's storage is used again for the next frame, if the array is no longer held then.
  public func render(_ view: some View, size: Size) -> [UInt8] {
    draw(view, size: size)
    let cursor = tree.cursor
    return screen.present(
      cursor: cursor?.point, isCursorVisible: cursor?.isVisible ?? false,
      shape: cursor?.shape ?? .standard)
  }

  /// Lays a view out without drawing it, so that the next event is answered as this view says:
  /// for events that come faster than frames are drawn.
  public func layOut(_ view: some View, size: Size) {
    tree.layOut(view, size: size.clamped)
  }

  /// Draws a view and returns it as a picture, without bytes for a terminal.
  public func frame(_ view: some View, size: Size) -> Frame {
    draw(view, size: size)
    let cursor = tree.cursor
    return Frame(
      screen: screen,
      canvas: Style(foreground: theme.canvas.text, background: theme.canvas.background),
      cursor: cursor?.isVisible == true ? cursor?.point : nil)
  }

  /// Forgets what the terminal shows: the next frame paints everything.
  public func invalidate() {
    screen.invalidate()
  }

  /// The title that a view of the last frame asked for.
  public var windowTitle: String? { tree.windowTitle }

  /// How many nodes the last frame had, for tests of what a frame costs.
  var nodeCount: Int { tree.nodes.count }

  private func draw(_ view: some View, size: Size) {
    let size = size.clamped
    if tree.links.isFull {
      tree.links.removeAll()
      screen.emptyTables()
    }
    tree.layOut(view, size: size)
    screen.begin(size: size)
    tree.draw(on: Canvas(screen: screen, glyphs: tree.theme.glyphs))
  }

  // MARK: Events

  /// The commands that work now, most important first, one for each key.
  public var commands: [Command] { tree.commands(above: tree.topModalLayer) }

  /// Gives an event to the view that the last frame says it is for.
  ///
  /// Keys go first to the text field that has the focus, then to commands and lists from the
  /// inside out; only the topmost sheet or dialog answers, except for global commands. The mouse
  /// goes to what is topmost under it.
  ///
  /// - Returns: Whether somebody took it.
  @discardableResult
  public func dispatch(_ event: Event) -> Bool {
    switch event {
    case .key(let press): dispatch(press)
    case .paste: tree.focusedField?.handle(event) ?? false
    case .mouse(let mouse): dispatch(mouse)
    case .focus, .resize, .resumed, .closed: false
    }
  }

  private func dispatch(_ press: KeyPress) -> Bool {
    if let field = tree.focusedField, field.handle(.key(press)) { return true }
    let layer = tree.topModalLayer
    var answers: [@MainActor () -> Bool] = []
    var fallbacks: [@MainActor () -> Bool] = []
    var globals: [@MainActor () -> Bool] = []
    tree.forEachResponder { responder in
      switch responder.kind {
      case .command(let command) where command.key == press && command.isEnabled:
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

  private func dispatch(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      pressed = mouse.position
      guard let region = tree.region(at: mouse.position, where: \.isTap),
        case .tap(let action) = region.action
      else { return false }
      action(region.place(of: mouse.position))
      return true
    case .drag(.left):
      // The region is looked up again, as frames may have been drawn since the press.
      guard let pressed, let region = tree.region(at: pressed, where: \.isDrag),
        case .drag(let action) = region.action
      else { return false }
      action(region.place(of: mouse.position), mouse.rowFraction)
      return true
    case .release(.left):
      pressed = nil
      return false
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
  /// A point of the screen, counted from the region's top left.
  fileprivate func place(of point: Point) -> Point {
    point.offset(columns: -rect.minColumn, rows: -rect.minRow)
  }
}

extension Size {
  /// The size without negative extents.
  fileprivate var clamped: Size { Size(columns: max(0, columns), rows: max(0, rows)) }
}
