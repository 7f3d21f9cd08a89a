/// Who answers to what, once the tree has been laid out.
extension ViewTree {
  /// The layer that keys go to: the topmost sheet, dialog or docked panel, or the base.
  var topModalLayer: Int {
    layers.lastIndex { $0.kind.takesKeys } ?? 0
  }

  /// The responders that are shown, in the order of asking.
  func forEachResponder(_ body: (Responder) -> Void) {
    guard !responders.isEmpty else { return }
    var index = responders[0].next
    while index >= 0 {
      let responder = responders[index]
      if isPlaced(responder.owner) { body(responder) }
      index = responder.next
    }
  }

  /// The commands that work while a layer has the keys, in their order, one for each key, or for
  /// each title where there is none. While a
  /// text field has the focus, keys that type are not among them.
  func commands(above layer: Int) -> [Command] {
    let isTyping = focusedField != nil
    return commands(preferring: layer) { responder, command in
      (responder.layer >= layer || command.scope == .global)
        && !(isTyping && command.key?.text != nil)
    }
  }

  /// The command that a letter stands for everywhere, unless a field takes it.
  func globalCommand(typing letter: Character) -> Command? {
    commands(preferring: topModalLayer) { $1.scope == .global && $1.key?.text == letter }
      .first
  }

  /// The commands that would work if a layer were not there.
  func commands(beneath layer: Int) -> [Command] {
    let below = layers[..<max(0, layer)].lastIndex { $0.kind.takesKeys } ?? 0
    return commands(preferring: below) {
      ($0.layer >= below && $0.layer < layer) || $1.scope == .global
    }
  }

  /// The active commands, of several for one key the one that acts: one of a layer that has the keys
  /// goes before a global one from beneath.
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

  /// Where the cursor rests, and whether it is seen: in a field rather than at the row that a list beside
  /// it has selected.
  var cursor: CursorRequest? {
    let layer = topModalLayer
    return cursorRequests.last { $0.layer >= layer && $0.isVisible }
      ?? cursorRequests.last { $0.layer >= layer }
  }
}

extension ViewTree {
  /// The text field that has the focus, in the layer that keys go to.
  var focusedField: FieldResponder? {
    let layer = topModalLayer
    var focused: FieldResponder?
    forEachResponder { responder in
      if case .field(let field) = responder.kind, responder.layer >= layer { focused = field }
    }
    return focused
  }

  /// The topmost region at a point that answers.
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

  var isDrag: Bool {
    if case .drag = self { true } else { false }
  }

  var isScroll: Bool {
    if case .scroll = self { true } else { false }
  }
}

/// What makes two commands the same one.
private struct CommandIdentity: Hashable {
  let key: KeyPress?
  let title: String
}
