import Composable
import Domain
import Terminal

extension Store {
  /// A dialog that asks before doing something risky.
  /// - Parameters:
  ///   - no: The title and action of Esc.
  ///   - yes: The title and action of `y`, a key that isn't pressed by habit.
  func ask(
    _ title: String, _ message: String, role: ThemeRole = .accent, no: (String, Action),
    yes: (String, Action)
  ) -> some View {
    Dialog(
      title: title, message: message, role: role,
      buttons: [
        DialogButton(no.0, key: "esc") { self.send(no.1) },
        DialogButton(yes.0, key: "y", role: .danger) { self.send(yes.1) },
      ])
  }

  /// A dialog that asks before carrying out a choice, which Enter does.
  /// - Parameters:
  ///   - failure: Why it couldn't be carried out. Enter then tries again, and Back dismisses it.
  ///   - progress: What is being done, while it is.
  func confirm(
    _ title: String, _ message: String, role: ThemeRole = .accent, no: Action,
    yes: (String, Action), failure: ErrorText? = nil, progress: String? = nil
  ) -> some View {
    let canRetry = failure?.isRetryable ?? true
    let back = DialogButton("Back", key: "esc") { self.send(no) }
    let go = DialogButton(failure == nil ? yes.0 : "Try again", key: "enter", role: .accent) {
      self.send(yes.1)
    }
    return Dialog(
      title: title, message: message, role: role, buttons: canRetry ? [back, go] : [back],
      selected: canRetry ? 1 : 0
    ) {
      if let failure {
        ErrorView(failure, dismiss: nil)
      } else if let progress {
        ProgressView(progress)
      }
    }
  }
}
