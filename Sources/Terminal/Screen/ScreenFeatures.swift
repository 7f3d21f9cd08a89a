/// Features that a terminal is known to support beyond the basic ones.
public struct ScreenFeatures: OptionSet, Hashable, Sendable {
  /// One bit for each feature.
  public let rawValue: UInt16

  /// Creates a set of features from its bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Frames are shown atomically: private mode 2026.
  public static let synchronizedUpdate = ScreenFeatures(rawValue: 1)
  /// `REP` repeats the last glyph (ECMA-48, 8.3.103).
  public static let repeatGlyph = ScreenFeatures(rawValue: 2)
  /// Erasing fills with the current background colour.
  public static let backgroundErase = ScreenFeatures(rawValue: 4)
  /// Lines can be inserted and deleted (`IL`, `DL`), so that rows are moved instead of redrawn.
  public static let insertLines = ScreenFeatures(rawValue: 8)
  /// Underlines have shapes and colours (`SGR 4:n`, `58` and `59`).
  public static let styledUnderlines = ScreenFeatures(rawValue: 16)
  /// Text can be linked to addresses (OSC 8).
  public static let hyperlinks = ScreenFeatures(rawValue: 32)
  /// The cursor shape can be set (`DECSCUSR`).
  public static let cursorShapes = ScreenFeatures(rawValue: 64)
  /// Pictures can be shown with the kitty graphics protocol.
  public static let kittyGraphics = ScreenFeatures(rawValue: 128)
  /// Pictures can be shown as sixels.
  public static let sixel = ScreenFeatures(rawValue: 256)
}

extension ScreenFeatures {
  /// Creates the features that a terminal type (`TERM`) promises before the terminal has answered
  /// any query, as `bce` does in terminfo.
  init(terminalType: String?) {
    let types = [
      "xterm", "tmux", "foot", "alacritty", "rxvt", "st-", "konsole", "vte", "linux", "contour",
    ]
    let type = terminalType ?? ""
    self = types.contains { type.hasPrefix($0) } ? .backgroundErase : []
  }
}
