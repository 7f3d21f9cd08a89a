/// A text being edited: its contents, cursor, selection and undo history.
///
/// It is a value for the state of a feature, changed by ``TextEdit`` actions, so typing can be
/// tested like everything else:
///
///     var name = TextInput("Ada")
///     name.apply(.insert(" Lovelace"))
///     name.apply(.kill(.wordLeft))
///
/// Positions are counted in characters (grapheme clusters) from 0. Edits are O(n) in the length of
/// the text.
public struct TextInput: Sendable {
  /// The text.
  public private(set) var text: String
  /// The index of the character after the cursor; the number of characters if the cursor is at the
  /// end.
  public private(set) var cursor: Int
  /// The other end of the selection, if any.
  public private(set) var anchor: Int?
  /// The maximum number of characters after an edit; `nil` for no limit.
  public let limit: Int?
  /// Whether the text can have several lines. In a single-line text, line ends become spaces.
  public let isMultiline: Bool
  /// Whether the text is never shown: fields and descriptions show dots instead.
  public let isSecure: Bool

  /// Whether the last change would have made the text longer than its limit, and was cut.
  public private(set) var isCut = false

  /// The text that `yank` inserts.
  private var killed = ""
  /// Whether the last step was a kill, so that another one adds to its text.
  private var isKilling = false
  /// The states that `undo` returns to, oldest first, at most `historyLimit`.
  private var past: [Snapshot] = []
  /// The states that `redo` returns to.
  private var future: [Snapshot] = []
  /// Whether the last step typed a character, so that consecutive typing is undone at once.
  private var isTyping = false

  private static let historyLimit = 100

  private struct Snapshot: Sendable {
    var text: String
    var cursor: Int
  }

  /// Creates a text with the cursor at its end. Control characters and anything beyond the limit
  /// are removed.
  public init(
    _ text: String = "", limit: Int? = nil, isMultiline: Bool = false, isSecure: Bool = false
  ) {
    var clean = text.strippingControls(keepingLines: isMultiline)
    if let limit, clean.count > limit { clean = String(clean.prefix(Swift.max(0, limit))) }
    self.text = clean
    self.limit = limit
    self.isMultiline = isMultiline
    self.isSecure = isSecure
    cursor = clean.count
  }

  /// Whether the text is empty.
  public var isEmpty: Bool { text.isEmpty }

  /// The range of selected characters; `nil` if nothing is selected.
  public var selection: Range<Int>? {
    guard let anchor, anchor != cursor else { return nil }
    return min(anchor, cursor)..<max(anchor, cursor)
  }

  /// The selected text; empty if nothing is selected.
  public var selectedText: String {
    guard let selection else { return "" }
    return String(text[index(selection.lowerBound)..<index(selection.upperBound)])
  }

  /// Applies an editing step.
  public mutating func apply(_ edit: TextEdit) {
    let wasTyping = isTyping
    let wasKilling = isKilling
    isTyping = false
    isKilling = false
    switch edit {
    case .insert(let string):
      insert(string, continuing: wasTyping)
    case .insertSecurely(let secret):
      insert(secret.plainText, continuing: wasTyping)
    case .move(let movement):
      move(movement)
    case .select(let movement):
      if anchor == nil { anchor = cursor }
      cursor = destination(of: movement)
    case .place(let position):
      anchor = nil
      cursor = clamped(position)
    case .selectTo(let position):
      if anchor == nil { anchor = cursor }
      cursor = clamped(position)
    case .selectAll:
      anchor = 0
      cursor = text.count
    case .delete(let movement):
      remove(selection ?? reach(of: movement))
    case .kill(let movement):
      kill(movement, adding: wasKilling)
    case .yank:
      insert(killed, continuing: false)
      isTyping = false
    case .transpose:
      transpose()
    case .undo:
      guard let snapshot = past.popLast() else { return }
      future.append(Snapshot(text: text, cursor: cursor))
      restore(snapshot)
    case .redo:
      guard let snapshot = future.popLast() else { return }
      past.append(Snapshot(text: text, cursor: cursor))
      restore(snapshot)
    }
  }

  private mutating func move(_ movement: TextMovement) {
    switch (selection, movement) {
    case (let selection?, .left): cursor = selection.lowerBound
    case (let selection?, .right): cursor = selection.upperBound
    default: cursor = destination(of: movement)
    }
    anchor = nil
  }

  private mutating func insert(_ string: String, continuing wasTyping: Bool) {
    var addition = string.strippingControls(keepingLines: isMultiline)
    let replaced = selection
    var isCut = false
    if let limit {
      let room = limit - (text.count - (replaced?.count ?? 0))
      isCut = addition.count > room
      if isCut { addition = String(addition.prefix(Swift.max(0, room))) }
    }
    defer { self.isCut = isCut }
    guard !addition.isEmpty || replaced != nil else { return }
    let isOneCharacter = addition.count == 1 && replaced == nil
    if !(isOneCharacter && wasTyping) { remember() }
    isTyping = isOneCharacter
    let range = replaced ?? cursor..<cursor
    var head = String(text[..<index(range.lowerBound)])
    head += addition
    let tail = text[index(range.upperBound)...]
    // A combining mark may have joined the character before it.
    cursor = head.count
    text = head + tail
    cursor = clamped(cursor)
    anchor = nil
  }

  private mutating func kill(_ movement: TextMovement, adding: Bool) {
    let range = selection ?? reach(of: movement)
    guard !range.isEmpty else {
      isKilling = adding
      return
    }
    let words = String(text[index(range.lowerBound)..<index(range.upperBound)])
    if !adding {
      killed = words
    } else if range.lowerBound < cursor {
      killed = words + killed
    } else {
      killed += words
    }
    isKilling = true
    remove(range)
  }

  private mutating func remove(_ range: Range<Int>) {
    anchor = nil
    guard !range.isEmpty else { return }
    remember()
    text.removeSubrange(index(range.lowerBound)..<index(range.upperBound))
    // The characters on both sides of the gap may have combined.
    cursor = clamped(range.lowerBound)
  }

  private mutating func transpose() {
    let count = text.count
    guard count > 1, cursor > 0 else { return }
    remember()
    anchor = nil
    let second = index(Swift.min(cursor, count - 1))
    let first = text.index(before: second)
    let after = text.index(after: second)
    let swapped = String(text[second]) + String(text[first])
    cursor = Swift.min(cursor, count - 1) + 1
    text.replaceSubrange(first..<after, with: swapped)
    cursor = clamped(cursor)
  }

  private mutating func remember() {
    isCut = false
    past.append(Snapshot(text: text, cursor: cursor))
    if past.count > Self.historyLimit { past.removeFirst() }
    future.removeAll()
  }

  private mutating func restore(_ snapshot: Snapshot) {
    text = snapshot.text
    isCut = false
    cursor = snapshot.cursor
    anchor = nil
  }

  private func clamped(_ position: Int) -> Int {
    Swift.max(0, Swift.min(position, text.count))
  }

  private func index(_ position: Int) -> String.Index {
    text.index(text.startIndex, offsetBy: position)
  }

  /// Returns the characters between the cursor and the end of a movement.
  private func reach(of movement: TextMovement) -> Range<Int> {
    let other = destination(of: movement)
    return Swift.min(cursor, other)..<Swift.max(cursor, other)
  }

  private func destination(of movement: TextMovement) -> Int {
    switch movement {
    case .left: return Swift.max(0, cursor - 1)
    case .right: return clamped(cursor + 1)
    case .textStart: return 0
    case .textEnd: return text.count
    default:
      return Array(text).destination(of: movement, from: cursor)
    }
  }
}

extension TextInput: Equatable {
  /// Whether both look and behave the same for the user. The undo history and killed text don't
  /// count: a name that was typed equals the same name set by `init`.
  public static func == (left: TextInput, right: TextInput) -> Bool {
    left.text == right.text && left.cursor == right.cursor && left.selection == right.selection
      && left.limit == right.limit && left.isMultiline == right.isMultiline
      && left.isSecure == right.isSecure && left.isCut == right.isCut
  }
}

extension TextInput: CustomStringConvertible, CustomReflectable {
  /// The text in quotes, or dots if it is secure.
  public var description: String {
    isSecure ? SecureText(text).description : text.debugDescription
  }

  /// What can be seen: the text – dots if it is secure –, the cursor, the selection, and whether it was cut.
  public var customMirror: Mirror {
    let shown: Any = isSecure ? SecureText(text) : text
    let seen: KeyValuePairs = ["text": shown, "cursor": cursor, "selection": selection as Any]
    let cut = isCut ? [(label: "isCut", value: isCut as Any)] : []
    return Mirror(
      self, children: seen.map { (label: $0.key, value: $0.value) } + cut, displayStyle: .struct)
  }
}

extension [Character] {
  /// Returns the end of a movement by word or line.
  fileprivate func destination(of movement: TextMovement, from cursor: Int) -> Int {
    switch movement {
    case .wordLeft:
      var position = cursor
      while position > 0, !self[position - 1].isWordCharacter { position -= 1 }
      while position > 0, self[position - 1].isWordCharacter { position -= 1 }
      return position
    case .blankLeft:
      var position = cursor
      while position > 0, self[position - 1].isWhitespace { position -= 1 }
      while position > 0, !self[position - 1].isWhitespace { position -= 1 }
      return position
    case .wordRight:
      var position = cursor
      while position < count, !self[position].isWordCharacter { position += 1 }
      while position < count, self[position].isWordCharacter { position += 1 }
      return position
    case .lineStart: return lineStart(at: cursor)
    case .lineEnd: return lineEnd(at: cursor)
    case .up:
      let start = lineStart(at: cursor)
      guard start > 0 else { return 0 }
      let above = lineStart(at: start - 1)
      return Swift.min(above + cursor - start, start - 1)
    case .down:
      let start = lineStart(at: cursor)
      let end = lineEnd(at: cursor)
      guard end < count else { return count }
      return Swift.min(end + 1 + cursor - start, lineEnd(at: end + 1))
    case .left, .right, .textStart, .textEnd: return cursor
    }
  }

  private func lineStart(at position: Int) -> Int {
    (self[..<position].lastIndex(of: "\n") ?? -1) + 1
  }

  private func lineEnd(at position: Int) -> Int {
    self[position...].firstIndex(of: "\n") ?? count
  }
}

extension Character {
  fileprivate var isWordCharacter: Bool { isLetter || isNumber || self == "_" }
}
