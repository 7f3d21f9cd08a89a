import Terminal

extension View {
  /// The keys of a form: Enter saves, or Ctrl-S in a field where Enter starts a new line; Tab and
  /// the arrows move between fields; Esc closes, asking first if there are changes.
  func formCommands<Field: FormKey>(
    _ form: Form<Field>, saveTitle: String = "Save", canSave: Bool = true,
    closeTitle: String = "Cancel",
    send: @escaping @MainActor (FormAction<Field>) -> Void
  ) -> some View {
    let entersLines = form[form.focus].isMultiline
    return command("enter", saveTitle, isEnabled: canSave, isHidden: entersLines) {
      send(.saveButtonTapped)
    }
    .command("ctrl+s", saveTitle, isEnabled: canSave, isHidden: !entersLines) {
      send(.saveButtonTapped)
    }
    .fieldCommands(send: send)
    .command("esc", closeTitle) { send(.closeButtonTapped) }
    .overlay {
      if form.isConfirmingDiscard {
        Dialog(
          title: "Throw away your changes?", message: "What you have typed here will be lost.",
          buttons: [
            DialogButton("Keep editing", key: "enter") { send(.discardCancelled) },
            DialogButton("Throw away", key: "esc", role: .danger) { send(.discardConfirmed) },
          ])
      }
    }
  }

  /// The keys that move between fields.
  func fieldCommands<Field: FormKey>(
    next: String = "Next", previous: String = "Previous",
    send: @escaping @MainActor (FormAction<Field>) -> Void
  ) -> some View {
    command("tab", next) { send(.nextField) }
      .command("down", next, isHidden: true) { send(.nextField) }
      .command("shift+tab", previous, isHidden: true) { send(.previousField) }
      .command("up", previous, isHidden: true) { send(.previousField) }
  }
}
