extension ColorDepth {
  /// The colours that the environment promises, before the terminal has said anything itself.
  ///
  /// `NO_COLOR` (not empty) and `CLICOLOR=0` mean none; `COLORTERM` of `truecolor` or `24bit` means
  /// all; else the name in `TERM` tells.
  public init(environment: [String: String]) {
    if environment["NO_COLOR"]?.isEmpty == false || environment["CLICOLOR"] == "0" {
      self = .none
      return
    }
    let term = environment["TERM"] ?? ""
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct")
    {
      self = .trueColor
    } else if term.hasSuffix("-256color") {
      self = .palette256
    } else if ["kitty", "ghostty", "alacritty", "foot", "wezterm", "contour"].contains(
      where: term.contains)
    {
      self = .trueColor
    } else if ["vt", "dumb", "ansi-m"].contains(where: term.hasPrefix) || term.hasSuffix("-m") {
      self = .none
    } else {
      self = .ansi16
    }
  }
}
