import Clients
import Composable
import Domain
public import Terminal

/// A kind of key that people press in a place where it does nothing. The app explains each once.
enum UnusedKey: String, Codable, Hashable, Sendable {
  /// `c` outside the Check-In tab.
  case checkIn
  /// `q` in another keyboard layout, which doesn't quit (`needsExactKey`).
  case quit
  /// A character that no key of a command can be.
  case foreign

  init?(_ press: KeyPress) {
    guard let character = press.text else { return nil }
    switch press.meantCharacter {
    case "c", "C": self = .checkIn
    case "q",
      "Q" where character != "q":
      self = .quit
    case nil: self = .foreign
    default: return nil
    }
  }

  /// What the app says about it.
  func explanation(of key: String) -> String {
    switch self {
    case .checkIn: "c checks in on the Check-In tab. Ctrl-G checks in from everywhere."
    case .quit: "“\(key)” doesn't quit. Ctrl-C does, in every keyboard layout."
    case .foreign:
      "“\(key)” is no command. Turn the input method off; ! pressed five times works with it."
    }
  }
}

extension AppSession {
  /// Explains a key that did nothing, if people press it.
  public func noteUnusedKey(_ press: KeyPress) {
    guard let kind = UnusedKey(press), case .character(let character) = press.key else { return }
    store.send(.unusedKeyPressed(kind, String(character)))
  }

  /// Shows a text that was copied, so that it can be selected where the terminal didn't copy it.
  public func showCopied(_ text: String) { store.send(.textCopied(Secret(text))) }
}
