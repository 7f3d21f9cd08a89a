extension ColorDepth {
  /// Determines the colour depth promised by the environment, before the terminal has reported
  /// anything.
  ///
  /// A non-empty `NO_COLOR` or `CLICOLOR=0` means no colours; `COLORTERM` set to `truecolor` or
  /// `24bit` means all of them; otherwise `TERM` decides.
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
