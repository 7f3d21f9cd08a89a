/// The contents of one or two adjacent cells: a grapheme cluster that is safe to write to a
/// terminal, and its width.
///
/// Text from outside is converted to graphemes before it reaches a cell, so that no control
/// character, bidirectional override or invisible scalar is ever written:
/// - white space that controls lines or tabs becomes a space;
/// - other C0 controls and DEL become control pictures (U+2400 …), C1 controls and noncharacters
///   U+FFFD;
/// - bidirectional controls, tags and other default-ignorable characters are removed, except for a
///   non-joiner after a letter;
/// - marks without a base get U+25CC as one, and half a flag becomes a boxed letter;
/// - a cluster keeps at most 8 marks and 64 bytes;
/// - outside emoji and Hangul, each scalar with a width starts a new grapheme, even within a
///   cluster: many terminals advance by scalar and would draw it over the following text.
public struct Grapheme: Hashable, Sendable {
  /// The first scalar; the only one if `cluster` is `nil`.
  public let scalar: Unicode.Scalar
  /// The whole cluster if it has more than one scalar or a disputed width.
  public let cluster: String?
  /// The width in cells, 1 or 2.
  public let columns: Int
  /// Whether current terminals disagree about the width (joined emoji, selectors, skin tones,
  /// flags, conjoining jamo, recently widened characters, parts of a cluster that was split). The
  /// cursor must be positioned explicitly after such a grapheme.
  public let isWidthDisputed: Bool

  /// The maximum number of marks in a cluster. The parts of joined emoji don't count: some have ten
  /// scalars.
  static let markLimit = 8
  /// The maximum length of a cluster in bytes of UTF-8.
  static let byteLimit = 64

  init(
    _ scalar: Unicode.Scalar, cluster: String? = nil, columns: Int, isWidthDisputed: Bool = false
  ) {
    self.scalar = scalar
    self.cluster = cluster
    self.columns = columns
    self.isWidthDisputed = isWidthDisputed
  }

  /// Creates the grapheme for an isolated scalar that is shown unchanged.
  init(isolated scalar: Unicode.Scalar) {
    if scalar.value < 0x1100 {
      self.init(scalar, columns: 1)
      return
    }
    switch ScalarWidth(scalar) {
    case .wide, .emoji: self.init(scalar, columns: 2)
    case .newlyWide:
      self.init(scalar, cluster: String(Character(scalar)), columns: 2, isWidthDisputed: true)
    default: self.init(scalar, columns: 1)
    }
  }

  /// The text to write.
  public var text: String {
    cluster ?? String(Character(scalar))
  }

  /// Creates the grapheme for an isolated scalar; `nil` if it must not be shown.
  public init?(_ scalar: Unicode.Scalar) {
    switch ScalarWidth(scalar) {
    case .narrow, .textEmoji: self.init(scalar, columns: 1)
    case .wide, .emoji: self.init(scalar, columns: 2)
    case .newlyWide:
      self.init(scalar, cluster: String(Character(scalar)), columns: 2, isWidthDisputed: true)
    case .regionalIndicator: self.init(scalar.boxedLetter, columns: 1)
    case .control: self.init(scalar.placeholder, columns: 1)
    case .ignorable: return nil
    case .mark:
      self.init(
        .dottedCircle, cluster: String(String.UnicodeScalarView([.dottedCircle, scalar])),
        columns: 1)
    }
  }

  /// Removes the next grapheme from the scalars of a character; `nil` if nothing of the rest is
  /// shown.
  /// - Parameter isContinued: Whether graphemes have been removed before.
  init?(takenOff scalars: inout Substring.UnicodeScalarView, isContinued: Bool) {
    var kept = String.UnicodeScalarView()
    var bytes = 0
    var base: ScalarWidth?
    var previous: Unicode.Scalar?
    var columns = 1
    var isDisputed = isContinued
    var marks = 0
    while let scalar = scalars.first {
      var width = ScalarWidth(scalar)
      let isSelector = scalar == .textSelector || scalar == .emojiSelector
      let isJoiner = isSelector || scalar == .zeroWidthJoiner
      if let base, width.isColumn, !base.isJoined(by: scalar, of: width, after: previous) {
        isDisputed = true
        break
      }
      previous = scalar
      scalars.removeFirst()
      if isJoiner {
        // Joiners and selectors are only meaningful after a character.
        guard base != nil else { continue }
        width = .mark
      }
      if scalar == .zeroWidthNonJoiner, let first = kept.first, first.isLetterThatJoins,
        kept.last != scalar
      {
        // A non-joiner separates letters that would otherwise be connected, as in Persian names.
        width = .mark
      }
      if width == .ignorable { continue }
      if width == .control {
        // This is a line end; other controls are never part of a cluster.
        scalars.removeAll()
        self.init(" ", columns: 1)
        return
      }
      if width == .mark && !isJoiner { marks += 1 }
      guard marks <= Self.markLimit, bytes + UTF8.width(scalar) <= Self.byteLimit else { continue }
      bytes += UTF8.width(scalar)
      if base == nil {
        base = width
        switch width {
        case .wide, .emoji, .newlyWide, .regionalIndicator: columns = 2
        case .mark:
          kept.append(.dottedCircle)
          bytes += UTF8.width(.dottedCircle)
        case .narrow, .textEmoji, .ignorable, .control: break
        }
      } else {
        switch (base, scalar) {
        case (.textEmoji, .emojiSelector): columns = 2
        case (.textEmoji, _) where scalar.properties.isEmojiModifier: columns = 2
        case (.emoji, .textSelector): columns = 1
        default: break
        }
        let isCombiningMark = width == .mark && !scalar.isJoiningJamo
        if !isCombiningMark || isJoiner { isDisputed = true }
      }
      kept.append(scalar)
    }
    // A trailing joiner would connect to the next cell.
    while kept.last == .zeroWidthJoiner { kept.removeLast() }
    guard let first = kept.first else { return nil }
    if kept.index(after: kept.startIndex) != kept.endIndex {
      self.init(first, cluster: String(kept), columns: columns, isWidthDisputed: isDisputed)
      return
    }
    self.init(first)
    if isDisputed {
      self.init(scalar, cluster: cluster ?? text, columns: self.columns, isWidthDisputed: true)
    }
  }
}

extension ScalarWidth {
  /// Whether the scalar has a width by itself.
  fileprivate var isColumn: Bool {
    switch self {
    case .narrow, .wide, .textEmoji, .emoji, .regionalIndicator, .newlyWide: true
    case .mark, .ignorable, .control: false
    }
  }

  /// Whether terminals combine a scalar that has a width with a preceding character of this kind.
  fileprivate func isJoined(
    by scalar: Unicode.Scalar, of width: ScalarWidth, after previous: Unicode.Scalar?
  ) -> Bool {
    switch self {
    case .emoji, .textEmoji, .newlyWide:
      previous == .zeroWidthJoiner || scalar.properties.isEmojiModifier
    case .regionalIndicator: width == .regionalIndicator
    case .wide: previous?.isLeadingJamo == true && (scalar.isLeadingJamo || scalar.isSyllable)
    case .narrow, .mark, .ignorable, .control: false
    }
  }
}

extension UTF8 {
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0..<0x80: 1
    case 0x80..<0x800: 2
    case 0x800..<0x10000: 3
    default: 4
    }
  }
}

extension Unicode.Scalar {
  /// Whether this is a leading consonant of Hangul, which joins with the following jamo or
  /// syllable.
  fileprivate var isLeadingJamo: Bool {
    (0x1100...0x115F).contains(value) || (0xA960...0xA97F).contains(value)
  }

  /// Whether this is a complete Hangul syllable.
  fileprivate var isSyllable: Bool { (0xAC00...0xD7A3).contains(value) }

  /// Whether this is a letter that may connect to the next one.
  fileprivate var isLetterThatJoins: Bool { value >= 0x600 && properties.isAlphabetic }

  /// Whether this is a vowel or trailing consonant of Hangul, which joins with the preceding jamo.
  fileprivate var isJoiningJamo: Bool {
    (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
  }

  /// The boxed letter (U+1F130 …) for half a flag, which would otherwise join with the half in the
  /// next cell.
  fileprivate var boxedLetter: Unicode.Scalar {
    Unicode.Scalar(value - 0x1F1E6 + 0x1F130) ?? .replacement
  }

  /// The replacement for a control character.
  fileprivate var placeholder: Unicode.Scalar {
    switch value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
    case 0..<0x20: Unicode.Scalar(0x2400 + value) ?? .replacement
    case 0x7F: "\u{2421}"
    default: .replacement
    }
  }
}
