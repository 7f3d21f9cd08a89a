/// The place a secret comes from, without the secret.
public enum SecretSource: Equatable, Sendable {
  /// A folder that systemd made for the service (`LoadCredential=`).
  case credentials(folder: String)
  /// The output of a program that is named in `config.json5`.
  case command(program: String)
  /// The desktop's keyring.
  case keyring
  /// A file that only its owner can read.
  case file(path: String)
  /// The memory of this process.
  case memory

  /// The end of “It comes from …”.
  public var text: String {
    switch self {
    case .credentials(let folder): "systemd's credentials (\(folder))"
    case .command(let program): "the command \(program)"
    case .keyring: "the desktop's keyring"
    case .file(let path): path
    case .memory: "this process"
    }
  }
}
