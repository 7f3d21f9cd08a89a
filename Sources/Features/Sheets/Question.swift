import Composable
import Terminal

extension Store {
  /// A question before something is done, and its two answers.
  /// - Parameters:
  ///   - no: What Esc does.
  ///   - yes: What is done; a key of its own, `y`, presses it, so that it is meant.
  func ask(
    _ title: String, _ message: String, role: ThemeRole = .accent, no: (String, Action),
    yes: (String, Action)
  ) -> Dialog {
    Dialog(
      title: title, message: message, role: role,
      buttons: [
        DialogButton(no.0, key: "esc") { self.send(no.1) },
        DialogButton(yes.0, key: "y", role: .danger) { self.send(yes.1) },
      ])
  }

  /// A question before a choice is carried out; Enter does so.
  func confirm(
    _ title: String, _ message: String, role: ThemeRole = .accent, no: Action,
    yes: (String, Action)
  ) -> Dialog {
    Dialog(
      title: title, message: message, role: role,
      buttons: [
        DialogButton("Back", key: "esc") { self.send(no) },
        DialogButton(yes.0, key: "enter", role: .accent) { self.send(yes.1) },
      ], selected: 1)
  }
}
