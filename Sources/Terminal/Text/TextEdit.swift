/// A step of editing a ``TextInput``, as a reducer's action carries it.
public enum TextEdit: Codable, Hashable, Sendable {
  /// Typed or pasted text replaces the selection. Control characters are removed.
  case insert(String)
  /// As `insert`, for text that is never shown: typed or pasted into a secure ``TextField``.
  case insertSecurely(SecureText)
  /// The cursor moves; the selection is dropped.
  case move(TextMovement)
  /// The cursor moves and the selection grows or shrinks with it.
  case select(TextMovement)
  /// The cursor goes to a character, counted from 0, as after a click.
  case place(Int)
  /// The selection reaches to a character, counted from 0, as while dragging.
  case selectTo(Int)
  case selectAll
  /// The selection, or the text up to where the movement leads, goes.
  case delete(TextMovement)
  /// As `delete`, and `yank` can put it back.
  case kill(TextMovement)
  /// Puts back what was killed last.
  case yank
  /// The two characters around the cursor change places.
  case transpose
  case undo, redo
}

extension TextEdit {
  /// This step as a secure field makes it.
  var secured: TextEdit {
    if case .insert(let text) = self { .insertSecurely(SecureText(text)) } else { self }
  }

  /// The step for a key, with the keys of readline and those of today's desktops; `nil` for keys
  /// that do not edit. Enter edits only a text of several lines.
  public init?(_ press: KeyPress, multiline: Bool = false) {
    if let text = press.text {
      self = .insert(String(text))
      return
    }
    switch press.key {
    case .character(let character):
      guard let edit = TextEdit(chord: character, press.modifiers) else { return nil }
      self = edit
    case .backspace:
      self =
        press.modifiers.isDisjoint(with: [.control, .alt]) ? .delete(.left) : .kill(.wordLeft)
    case .delete:
      self =
        press.modifiers.isDisjoint(with: [.control, .alt]) ? .delete(.right) : .kill(.wordRight)
    case .enter:
      guard multiline, press.modifiers.isDisjoint(with: .control) else { return nil }
      self = .insert("\n")
    case .left, .right, .up, .down, .home, .end:
      guard let movement = TextMovement(press, multiline: multiline) else { return nil }
      self = press.modifiers.contains(.shift) ? .select(movement) : .move(movement)
    case .tab, .escape, .insert, .pageUp, .pageDown, .function:
      return nil
    }
  }

  /// The step for a character with control or alt.
  private init?(chord character: Character, _ modifiers: Modifiers) {
    switch (modifiers, character) {
    case (.control, "a"): self = .move(.lineStart)
    case (.control, "e"): self = .move(.lineEnd)
    case (.control, "b"): self = .move(.left)
    case (.control, "f"): self = .move(.right)
    case (.control, "d"): self = .delete(.right)
    case (.control, "h"): self = .delete(.left)
    case (.control, "k"): self = .kill(.lineEnd)
    case (.control, "u"): self = .kill(.lineStart)
    case (.control, "w"): self = .kill(.blankLeft)
    case (.control, "y"): self = .yank
    case (.control, "t"): self = .transpose
    case (.control, "_"), (.control, "/"), (.control, "7"): self = .undo
    case (.alt, "_"), (.alt, "/"): self = .redo
    case ([.control, .shift], "z"), ([.control, .alt], "_"): self = .redo
    case (.alt, "b"): self = .move(.wordLeft)
    case (.alt, "f"): self = .move(.wordRight)
    case (.alt, "d"): self = .kill(.wordRight)
    case (.alt, "a"): self = .selectAll
    case (.alt, "<"): self = .move(.textStart)
    case (.alt, ">"): self = .move(.textEnd)
    default: return nil
    }
  }
}

extension TextMovement {
  /// The way that an arrow, Home or End leads; `nil` for up and down in a single line.
  fileprivate init?(_ press: KeyPress, multiline: Bool) {
    let byWord = !press.modifiers.isDisjoint(with: [.control, .alt])
    switch press.key {
    case .left: self = byWord ? .wordLeft : .left
    case .right: self = byWord ? .wordRight : .right
    case .home: self = byWord ? .textStart : .lineStart
    case .end: self = byWord ? .textEnd : .lineEnd
    case .up where multiline: self = .up
    case .down where multiline: self = .down
    default: return nil
    }
  }
}
