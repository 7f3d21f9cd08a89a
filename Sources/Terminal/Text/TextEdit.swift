/// An editing step of a ``TextInput``, as carried by a reducer's action.
public enum TextEdit: Codable, Hashable, Sendable {
  /// Replaces the selection with typed or pasted text. Control characters are removed.
  case insert(String)
  /// Like `insert`, for text that is never shown: typed or pasted into a secure ``TextField``.
  case insertSecurely(SecureText)
  /// Moves the cursor and clears the selection.
  case move(TextMovement)
  /// Moves the cursor and extends or shrinks the selection with it.
  case select(TextMovement)
  /// Moves the cursor to a character, counted from 0, as after a click.
  case place(Int)
  /// Extends the selection to a character, counted from 0, as while dragging.
  case selectTo(Int)
  /// Selects the whole text.
  case selectAll
  /// Deletes the selection, or else the text up to the end of the movement.
  case delete(TextMovement)
  /// Like `delete`, but `yank` can restore the text.
  case kill(TextMovement)
  /// Inserts the text that was killed last.
  case yank
  /// Swaps the two characters around the cursor.
  case transpose
  /// Takes back the last change, or makes it again.
  case undo, redo
}

extension TextEdit {
  /// The step in the form that a secure field reports.
  var secured: TextEdit {
    if case .insert(let text) = self { .insertSecurely(SecureText(text)) } else { self }
  }

  /// Creates the step for a key, according to the conventions of readline and of modern desktops;
  /// `nil` for keys that don't edit. Enter only edits multi-line text.
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

  /// Creates the step for a character with Control or Alt.
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
  /// Creates the movement for an arrow key, Home or End; `nil` for up and down in a single line.
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

/// A movement of the cursor through a text.
public enum TextMovement: Codable, Hashable, Sendable {
  /// By one character.
  case left, right
  /// To the start of the previous word, or the end of the next word.
  case wordLeft, wordRight
  /// To the start of the previous sequence without white space, such as an e-mail address.
  case blankLeft
  /// To the start or end of the line.
  case lineStart, lineEnd
  /// To the line above or below, in the same column.
  case up, down
  /// To the start or end of the whole text.
  case textStart, textEnd
}
