public import Domain

/// A `config.json5` that others can change, although it names programs that run with this user's
/// rights, and servers that get this user's secrets.
public struct ConfigurationExposure: AppError {
  public enum Fault: Equatable, Sendable {
    /// Its group or everyone can write it.
    case open
    /// It belongs to neither this user nor root.
    case foreign
  }

  /// The file, or the folder in which it can be replaced.
  public var path: String
  public var fault: Fault
  /// The settings that are ignored because of it.
  public var withheld: [WithheldSetting] = []

  public init(path: String, fault: Fault) {
    self.path = path
    self.fault = fault
  }

  public var text: ErrorText {
    ErrorText(
      "CONFIG_EXPOSED", "\(found)\(consequence).", recovery: advice, family: .infrastructure)
  }

  /// The text that a monitor reports. It doesn't contain the path, since others who use the store
  /// read it.
  public var problem: String {
    let (found, command) =
      switch fault {
      case .open: ("others can change config.json5", "chmod go-w")
      case .foreign: ("config.json5 or its folder belongs to another user", "chown")
      }
    return "\(found)\(consequence); \(command) fixes it, as lifesignal doctor says"
  }

  /// Whether it keeps mail from being sent.
  public var blocksMail: Bool { withheld.contains(.sendmail) || withheld.contains(.login) }

  private var found: String {
    switch fault {
    case .open: "Others can change \(path)"
    case .foreign: "\(path) belongs to another user"
    }
  }

  private var advice: String {
    switch fault {
    case .open: "Run chmod go-w \(path.shellWord)."
    case .foreign: "Run sudo chown \"$USER\" \(path.shellWord)."
    }
  }

  private var consequence: String {
    guard !withheld.isEmpty else { return "" }
    return ", so \(withheld.map(\.consequence).joinedAsList)"
  }
}
