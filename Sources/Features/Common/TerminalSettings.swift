public import Composable
public import ComposableFoundation
import FoundationEssentials

/// The choices that belong to this terminal rather than to an account: they stay when somebody else
/// signs in, and aren't sent to a server.
public struct TerminalSettings: Codable, Equatable, Sendable {
  /// The look of the screen.
  public var appearance = Appearance()
  /// The orders of the contact lists (ORD-1).
  var lists = ListChoices()
  /// The titles of the commands chosen in the palette, most recent first.
  private(set) var recentCommands: [String] = []
  /// Whether the choices that earlier versions kept with the account were taken over.
  var hasAdopted = false

  public init() {}

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // Each on its own, so that one can be missing or from a newer version.
    func choice<Value: Decodable>(_ key: CodingKeys, or other: Value) -> Value {
      (try? container.decodeIfPresent(Value.self, forKey: key)) ?? other
    }
    appearance = choice(.appearance, or: appearance)
    lists = choice(.lists, or: lists)
    recentCommands = choice(.recentCommands, or: recentCommands)
    hasAdopted = choice(.hasAdopted, or: hasAdopted)
  }

  /// Takes over the choices that earlier versions kept with the account, except those that were made
  /// on this terminal since.
  mutating func adopt(_ old: Appearance?, _ oldLists: ListChoices?) {
    hasAdopted = true
    if appearance.theme == .auto { appearance.theme = old?.theme ?? .auto }
    if !appearance.reducesMotion { appearance.reducesMotion = old?.reducesMotion ?? false }
    if lists == ListChoices() { lists = oldLists ?? lists }
  }

  /// Puts a command first among the recent ones.
  mutating func use(_ command: String) {
    recentCommands.removeAll { $0 == command }
    recentCommands.insert(command, at: 0)
    recentCommands.removeLast(max(0, recentCommands.count - 20))
  }
}

extension SharedKey where Self == FileStorageKey<TerminalSettings> {
  /// The settings of this terminal, in ``DependencyValues/terminalSettingsFile``.
  public static var terminalSettings: Self {
    let values = DependencyValues.current
    guard let file = values.terminalSettingsFile else {
      return withDependencies {
        $0.sharedFiles = .inMemory()
      } operation: {
        .fileStorage(URL(filePath: "/terminal.json"))
      }
    }
    return .fileStorage(URL(filePath: file))
  }
}

extension SharedFileError {
  /// Whether it says that the file couldn't be decoded, and was renamed.
  public var isSetAside: Bool { path.hasSuffix(".unreadable") }

  /// Says that this terminal's settings can't be read or kept.
  public var settingsText: String {
    isSetAside
      ? "The settings of this terminal can't be read. They are in terminal.json.unreadable."
      : "The settings of this terminal can't be kept: \(reason)."
  }
}

extension DependencyValues {
  /// The path of the file with this terminal's settings; `nil` if they last as long as the program,
  /// as in a demo.
  public var terminalSettingsFile: String? {
    get { self[TerminalSettingsFileKey.self] }
    set { self[TerminalSettingsFileKey.self] = newValue }
  }

  private enum TerminalSettingsFileKey: DependencyKey {
    static let liveValue: String? = nil
    static let testValue: String? = nil
  }
}
