import Composable
import Domain
import Terminal

/// The sheet for adding or changing a contact.
struct ContactFormView: View {
  let store: StoreOf<ContactFormFeature>

  var body: some View {
    Sheet(store.original.map { "Edit \($0.name)" } ?? "Add a contact", width: 72) {
      VStack(alignment: .leading, spacing: 0) {
        field(.name, "Name", store.name, placeholder: "Grace Hopper")
        field(.email, "E-mail", store.email, placeholder: "grace@example.org")
        field(.phone, "Phone", store.phone, placeholder: "+44 20 7183 8750, optional")
        field(.note, "Note", store.note, placeholder: "optional", rows: 2)
        role(.responder, .responder, "is told when you need help")
        role(.dependent, .dependent, "you respond for them")
        if let error = store.errors[.responder] {
          Text("! \(error.errorDescription)").foreground(.danger)
        }
        if let failure = store.failure {
          FormFailure(failure)
        }
        if store.isSaving { Text("Saving …").foreground(.dim) }
      }
      .padding(.horizontal, 1)
    }
    .formCommands(
      entersLines: store.focus == .note, save: { store.send(.saveButtonTapped) },
      next: { store.send(.nextField) }, previous: { store.send(.previousField) },
      close: { store.send(.closeButtonTapped) }
    )
    .overlay {
      if store.isConfirmingDiscard {
        DiscardDialog {
          store.send(.discardCancelled)
        } discard: {
          store.send(.discardConfirmed)
        }
      }
    }
  }

  private func field(
    _ field: ContactFormFeature.Field, _ label: String, _ input: TextInput,
    placeholder: String, rows: Int? = nil
  ) -> some View {
    FormField(
      label: label, input: input, isFocused: store.focus == field, placeholder: placeholder,
      error: store.errors[field], rows: rows, onFocus: { store.send(.focused(field)) },
      onEdit: { store.send(.edited(field, $0)) })
  }

  @ViewBuilder private func role(
    _ role: Roles, _ field: ContactFormFeature.Field, _ meaning: String
  ) -> some View {
    let isOn = store.roles.contains(role)
    let isFocused = store.focus == field
    HStack(spacing: 1) {
      Text(role == .responder ? "Responder" : "Dependent")
        .foreground(isFocused ? .accent : .dim)
        .frame(width: FormField.labelWidth, alignment: .leading)
      Text(isOn ? "[×]" : "[ ]").foreground(isFocused ? .accent : .text)
      Text(meaning).foreground(isOn ? .text : .dim)
    }
    .onTap {
      store.send(.focused(field))
      store.send(.roleToggled(role))
    }
    .commandIf(isFocused, "space", "Toggle") { store.send(.roleToggled(role)) }
  }
}
