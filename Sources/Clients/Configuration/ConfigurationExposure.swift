public import Domain

/// Somebody else may write `config.json5`, which names programs that are run with this user's rights.
public struct ConfigurationExposure: AppError {
  public enum Fault: Equatable, Sendable {
    /// Its group or everybody may write it.
    case open
    /// It belongs to neither this user nor root.
    case foreign
  }

  /// The file, or the folder in which it could be replaced.
  public var path: String
  public var fault: Fault
  /// The commands that are not run for that.
  public var withheld: [ConfigurationCommand] = []

  public init(path: String, fault: Fault) {
    self.path = path
    self.fault = fault
  }

  public var text: ErrorText {
    ErrorText(
      "CONFIG_EXPOSED", "\(found)\(consequence).", recovery: advice, family: .infrastructure)
  }

  /// What a monitor has to say of it: without the path, since others of the same store read it.
  public var problem: String {
    let found =
      switch fault {
      case .open: "others may change config.json5"
      case .foreign: "config.json5 or its folder belongs to another user"
      }
    return "\(found)\(consequence); see lifesignal doctor"
  }

  /// Whether mail may not go out because of it.
  /// - Parameter hasPassword: Whether the password comes from where no command is asked.
  public func hindersMail(hasPassword: Bool) -> Bool {
    withheld.contains(.sendmail) || (!hasPassword && withheld.contains(.passwordCommand))
  }

  private var found: String {
    switch fault {
    case .open: "Others may change \(path)"
    case .foreign: "\(path) belongs to another user"
    }
  }

  private var advice: String {
    switch fault {
    case .open: "Close it by chmod go-w \(path.shellWord)."
    case .foreign: "Take it over by sudo chown \"$USER\" \(path.shellWord)."
    }
  }

  private var consequence: String {
    guard !withheld.isEmpty else { return "" }
    let names = withheld.map(\.rawValue).joinedAsList
    return ", so that \(names) \(withheld.count == 1 ? "is" : "are") not run"
  }
}
