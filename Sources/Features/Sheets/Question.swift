import Composable
import Terminal

extension Store {
  /// A dialog that asks before doing something risky.
  /// - Parameters:
  ///   - no: The title and action of Esc.
  ///   - yes: The title and action of `y`, a key that isn't pressed by habit.
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

  /// A dialog that asks before carrying out a choice, which Enter does.
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
