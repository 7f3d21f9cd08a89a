import Composable
import ComposableTesting

@testable import Features

extension TestStore where State: FormState {
  /// Sends actions to the form of a sheet. They must change nothing but the form, whose rules
  /// `FormTests` tests.
  func sendToForm(
    _ actions: FormAction<State.Field>...,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column, action: (FormAction<State.Field>) -> Action
  ) async {
    for formAction in actions {
      var form = state
      _ = form.apply(formAction) { _ -> Effect<Action> in .none }
      let expected = form
      await send(
        action(formAction), assert: expected == state ? nil : { $0 = expected },
        fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}
