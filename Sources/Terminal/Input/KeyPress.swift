/// A key together with its modifiers, as used by commands and reported by the terminal.
///
/// Written as text: `"c"`, `"?"`, `"ctrl+p"`, `"alt+b"`, `"shift+tab"`, `"enter"`, `"esc"`,
/// `"f12"`. Shift isn't named for characters: `"C"`, not `"shift+c"`. With Control, letters are
/// lower case.
public struct KeyPress: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// The modifiers held with the key.
  public var modifiers: Modifiers
  /// The character at the key's position on a standard PC keyboard, if the terminal tells and it is
  /// another one. It doesn't matter for equality.
  public var position: Character?
  /// Whether the key was held, if the terminal tells. It doesn't matter for equality.
  public var isRepeat = false

  /// Creates a key press.
  public init(_ key: Key, modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  /// Returns the press of a key that types `character`.
  public static func character(_ character: Character, _ modifiers: Modifiers = []) -> KeyPress {
    KeyPress(.character(character), modifiers: modifiers)
  }

  /// The text that the key types into a field: a character pressed without Control or Alt.
  public var text: Character? {
    guard case .character(let character) = key, modifiers.isDisjoint(with: [.control, .alt]) else {
      return nil
    }
    return character
  }
}

extension KeyPress {
  /// Returns whether two presses are of the same key with the same modifiers.
  public static func == (left: KeyPress, right: KeyPress) -> Bool {
    left.key == right.key && left.modifiers == right.modifiers
  }

  /// Hashes the key and its modifiers.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(modifiers)
  }
}

extension KeyPress: LosslessStringConvertible {
  /// Parses the text form; `nil` if it isn't a key.
  public init?(_ description: String) {
    // Most commands have a letter, and views are built for every frame.
    if let byte = description.utf8.first, description.utf8.count == 1 {
      self.init(.character(Character(Unicode.Scalar(byte))))
      return
    }
    var modifiers: Modifiers = []
    var name = Substring(description)
    while let plus = name.dropFirst().firstIndex(of: "+"), name.index(after: plus) < name.endIndex {
      guard let modifier = Modifiers(name: name[..<plus]) else { return nil }
      modifiers.insert(modifier)
      name = name[name.index(after: plus)...]
    }
    guard let key = Key(name: name) else { return nil }
    self.init(key, modifiers: modifiers)
  }

  /// The text form, which the initializer can parse.
  public var description: String {
    var text = ""
    if modifiers.contains(.control) { text += "ctrl+" }
    if modifiers.contains(.alt) { text += "alt+" }
    if modifiers.contains(.shift) { text += "shift+" }
    return text + key.name
  }
}

extension KeyPress: ExpressibleByStringLiteral {
  /// Creates a key press from a literal.
  /// - Precondition: The literal names a key.
  public init(stringLiteral value: String) {
    guard let press = KeyPress(value) else {
      preconditionFailure("\"\(value)\" names no key. Write \"c\", \"ctrl+p\" or \"shift+tab\".")
    }
    self = press
  }
}

extension KeyPress {
  /// The short name for a help bar: `c`, `Enter`, `Esc`, `^P`, `↑`, `Alt-b`, `Shift-Tab`.
  public var displayName: String { displayName(ascii: false) }

  /// Returns the short name for a help bar, with words instead of arrows if `ascii` is set.
  public func displayName(ascii: Bool) -> String {
    var text = ""
    if modifiers.contains(.alt) { text += "Alt-" }
    if modifiers.contains(.shift) { text += "Shift-" }
    let name = key.displayName(ascii: ascii)
    guard modifiers.contains(.control) else { return text + name }
    if case .character(let character) = key, character != " " {
      return text + "^" + character.uppercased()
    }
    return "Ctrl-" + text + name
  }
}

extension Modifiers {
  fileprivate init?(name: Substring) {
    switch name.lowercased() {
    case "ctrl", "control": self = .control
    case "alt", "option": self = .alt
    case "shift": self = .shift
    default: return nil
    }
  }
}

extension Key {
  fileprivate init?(name: Substring) {
    if name.count == 1, let character = name.first {
      self = .character(character)
      return
    }
    switch name.lowercased() {
    case "space": self = .character(" ")
    case "enter", "return": self = .enter
    case "tab": self = .tab
    case "esc", "escape": self = .escape
    case "backspace": self = .backspace
    case "delete": self = .delete
    case "insert": self = .insert
    case "up": self = .up
    case "down": self = .down
    case "left": self = .left
    case "right": self = .right
    case "home": self = .home
    case "end": self = .end
    case "pageup": self = .pageUp
    case "pagedown": self = .pageDown
    case let other:
      guard other.first == "f", let number = Int(other.dropFirst()), (1...35).contains(number)
      else { return nil }
      self = .function(number)
    }
  }

  fileprivate var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .enter: "enter"
    case .tab: "tab"
    case .escape: "esc"
    case .backspace: "backspace"
    case .delete: "delete"
    case .insert: "insert"
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .home: "home"
    case .end: "end"
    case .pageUp: "pageup"
    case .pageDown: "pagedown"
    case .function(let number): "f\(number)"
    }
  }

  fileprivate func displayName(ascii: Bool) -> String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .enter: "Enter"
    case .tab: "Tab"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: ascii ? "Up" : "↑"
    case .down: ascii ? "Down" : "↓"
    case .left: ascii ? "Left" : "←"
    case .right: ascii ? "Right" : "→"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}

/// A key, without the modifiers held with it.
public enum Key: Hashable, Sendable {
  /// A key that types text. Shift is part of the character: `C`, not Shift and `c`.
  case character(Character)
  /// A key that a terminal has always had.
  case enter, tab, escape, backspace
  /// A key of the editing block.
  case delete, insert
  /// An arrow key.
  case up, down, left, right
  /// A key that moves by more than a line.
  case home, end, pageUp, pageDown
  /// F1 and above.
  case function(Int)
}

/// The modifier keys held while a key or a mouse button was pressed.
///
/// Super, Hyper, Meta and the locks are ignored: most terminals don't distinguish them, and no
/// command uses them.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// The bits, numbered as terminals report them.
  public let rawValue: UInt8

  /// Creates a set of modifiers from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Shift; not reported for keys that type text.
  public static let shift = Modifiers(rawValue: 1)
  /// Alt, or Option on a Mac.
  public static let alt = Modifiers(rawValue: 2)
  /// Control.
  public static let control = Modifiers(rawValue: 4)

  /// Creates modifiers from the parameter of a key or `CSI u` report, which is one more than the
  /// bit set (xterm, "PC-Style Function Keys"): 2 is Shift, 3 Alt, 5 Control.
  init(reportParameter parameter: Int) {
    self.init(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1)) & 7)
  }
}
