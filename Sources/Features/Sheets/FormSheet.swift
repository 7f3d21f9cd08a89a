import Domain
import Terminal

/// A sheet with a form: its fields, the outcome of saving it, and its keys.
struct FormSheet<Field: FormKey, Content: View>: View {
  let title: String
  let width: Int
  let form: Form<Field>
  let savingText: String
  let saveTitle: String
  let canSave: Bool
  let closeTitle: String
  let commands: [Command]
  let send: @MainActor (FormAction<Field>) -> Void
  let content: Content

  /// - Parameters:
  ///   - canSave: Whether the form can be saved now.
  ///   - commands: The commands besides saving and closing.
  ///   - content: The fields and the texts between them.
  init(
    _ title: String, width: Int, form: Form<Field>, savingText: String = "Saving",
    saveTitle: String = "Save", canSave: Bool = true, closeTitle: String = "Cancel",
    commands: [Command] = [],
    send: @escaping @MainActor (FormAction<Field>) -> Void,
    @ViewBuilder content: (FormFields<Field>) -> Content
  ) {
    self.title = title
    self.width = width
    self.form = form
    self.savingText = savingText
    self.saveTitle = saveTitle
    self.canSave = canSave
    self.closeTitle = closeTitle
    self.commands = commands
    self.send = send
    self.content = content(FormFields(form: form, send: send))
  }

  var body: some View {
    Sheet(title, width: width) {
      VStack(alignment: .leading, spacing: 0) {
        content
        FormOutcome(form: form, savingText: savingText, send: send)
      }
      .padding(.horizontal, 1)
    }
    .with(commands)
    .formCommands(form, saveTitle: saveTitle, canSave: canSave, closeTitle: closeTitle, send: send)
    .holdingKeys(while: form.isSaving)
  }
}

/// Makes the fields of a form.
struct FormFields<Field: FormKey> {
  let form: Form<Field>
  let send: @MainActor (FormAction<Field>) -> Void

  /// A field for text.
  @MainActor func text(
    _ field: Field, _ label: String, _ placeholder: String = "", rows: Int = 4
  ) -> FormField<Field> {
    FormField(
      label: label, field: field, form: form, placeholder: placeholder, rows: rows, send: send)
  }

  /// A switch.
  @MainActor func toggle(_ field: Field, _ label: String, _ meaning: String) -> FormToggle<Field> {
    FormToggle(label: label, field: field, form: form, meaning: meaning, send: send)
  }

  /// A picker for the kind of channel. Text typed on it goes to the address field.
  @MainActor func kind(
    _ field: Field, _ kind: Channel.Kind, address: Field,
    among kinds: [Channel.Kind] = Channel.Kind.allCases.filter { $0 != .service },
    onChoose: @escaping @MainActor (Channel.Kind) -> Void
  ) -> some View {
    let onType: @MainActor (TextEdit) -> Void = {
      send(.focused(address))
      send(.edited(address, $0))
    }
    return Picker(
      "Notify by", choices: kinds.map(\.title), selected: kinds.firstIndex(of: kind) ?? 0,
      isFocused: form.focus == field, onChange: { onChoose(kinds[$0]) },
      onType: kind == .desktop || kind == .service ? nil : onType
    )
    .labelWidth(formLabelWidth)
  }
}
