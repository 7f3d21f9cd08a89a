/// Event handling, once the tree has been laid out.
extension ViewTree {
  /// The layer that receives keys: the topmost sheet, dialog or docked panel, or else the base.
  var topModalLayer: Int {
    layers.lastIndex { $0.kind.takesKeys } ?? 0
  }

  /// Calls `body` for each visible responder, in the order in which they are asked.
  func forEachResponder(_ body: (Responder) -> Void) {
    guard !responders.isEmpty else { return }
    var index = responders[0].next
    while index >= 0 {
      let responder = responders[index]
      if isPlaced(responder.owner) { body(responder) }
      index = responder.next
    }
  }

  /// Returns the commands that work while a layer has the keys, in order: one for each key, or for
  /// each title if it has no key. While a text field has the focus, keys that type text are
  /// excluded.
  func commands(above layer: Int) -> [Command] {
    let isTyping = focusedField != nil
    return commands(preferring: layer) { responder, command in
      (responder.layer >= layer || command.scope == .global)
        && !(isTyping && command.key?.text != nil)
    }
  }

  /// Returns the global command of a letter, which works anywhere unless a field takes the letter.
  func globalCommand(typing letter: Character) -> Command? {
    commands(preferring: topModalLayer) { $1.scope == .global && $1.key?.text == letter }
      .first
  }

  /// Returns the commands that would work without a layer and those above it.
  func commands(beneath layer: Int) -> [Command] {
    let below = layers[..<max(0, layer)].lastIndex { $0.kind.takesKeys } ?? 0
    return commands(preferring: below) {
      ($0.layer >= below && $0.layer < layer) || $1.scope == .global
    }
  }

  /// Returns the active commands. If several share a key, the one that would act is chosen: a
  /// command of the layer that has the keys precedes a global one from below.
  private func commands(
    preferring layer: Int, where isActive: (Responder, Command) -> Bool
  ) -> [Command] {
    var commands: [Command] = []
    var known: [CommandIdentity: (index: Int, isBeneath: Bool)] = [:]
    forEachResponder { responder in
      guard case .command(let command) = responder.kind, isActive(responder, command) else {
        return
      }
      let isBeneath = responder.layer < layer
      let title = command.key == nil ? command.title : ""
      let identity = CommandIdentity(key: command.key, title: title)
      if let (index, wasBeneath) = known[identity] {
        guard wasBeneath, !isBeneath else { return }
        commands[index] = command
        known[identity] = (index, false)
      } else {
        known[identity] = (commands.count, isBeneath)
        commands.append(command)
      }
    }
    return commands
  }

  /// The requested cursor position. A visible cursor, in a field, takes precedence over one that
  /// marks the selection of a list.
  var cursor: CursorRequest? {
    let layer = topModalLayer
    return cursorRequests.last { $0.layer >= layer && $0.isVisible }
      ?? cursorRequests.last { $0.layer >= layer }
  }
}

extension ViewTree {
  /// The text field that has the focus, in the layer that receives keys.
  var focusedField: FieldResponder? {
    let layer = topModalLayer
    var focused: FieldResponder?
    forEachResponder { responder in
      if case .field(let field) = responder.kind, responder.layer >= layer { focused = field }
    }
    return focused
  }

  /// The insides of the boxes that are shown, in the order of reading, where keys go now.
  var panels: [Rect] {
    let layer = topModalLayer
    return regions.filter { $0.layer >= layer && $0.action.isPanel }.map(\.visible)
      .sorted { ($0.minRow, $0.minColumn) < ($1.minRow, $1.minColumn) }
  }

  /// Returns the topmost region at a point that handles an event.
  func region(at point: Point, where condition: (HitRegion.Action) -> Bool) -> HitRegion? {
    let layer = topModalLayer
    return regions.last {
      $0.layer >= layer && $0.visible.contains(point) && condition($0.action)
    }
  }
}

extension HitRegion.Action {
  var isTap: Bool {
    if case .tap = self { true } else { false }
  }

  var isHold: Bool {
    if case .hold = self { true } else { false }
  }

  var isDrag: Bool {
    if case .drag = self { true } else { false }
  }

  var isAny: Bool {
    if case .any = self { true } else { false }
  }

  var isScroll: Bool {
    if case .scroll = self { true } else { false }
  }

  var isPanel: Bool {
    if case .panel = self { true } else { false }
  }
}

/// The identity of a command: its key, or its title if it has no key.
private struct CommandIdentity: Hashable {
  let key: KeyPress?
  let title: String
}
