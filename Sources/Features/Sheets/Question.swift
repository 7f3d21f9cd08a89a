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
  ///   - request: What carries it out. If it fails, Enter tries again and Back dismisses the failure.
  ///   - progress: What is being done while it runs, such as `Saving`.
  func confirm(
    _ title: String, _ message: String, role: ThemeRole = .accent, no: Action,
    yes: (String, Action), request: Request<Action> = Request(), progress: String = ""
  ) -> some View where Action: Codable & Equatable & Sendable {
    let canRetry = request.failure?.error.isRetryable ?? true
    let back = DialogButton("Back", key: "esc") { self.send(no) }
    let go = DialogButton(request.failure == nil ? yes.0 : "Try again", key: "enter", role: .accent)
    {
      self.send(yes.1)
    }
    return Dialog(
      title: title, message: message, role: role, buttons: canRetry ? [back, go] : [back],
      selected: canRetry ? 1 : 0
    ) {
      if let failure = request.failure {
        ErrorView(failure.error, dismiss: nil)
      } else if request.isRunning {
        ProgressView(progress)
      }
    }
  }
}
