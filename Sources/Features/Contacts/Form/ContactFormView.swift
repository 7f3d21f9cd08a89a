import Composable
import Domain
import Terminal

/// The sheet for adding or changing a contact.
struct ContactFormView: View {
  let store: StoreOf<ContactFormFeature>

  var body: some View {
    Sheet(store.original.map { "Edit \($0.name)" } ?? "Add a contact", width: 72) {
      VStack(alignment: .leading, spacing: 0) {
        field(.name, "Name", placeholder: "Grace Hopper")
        KindPicker(kind: store.kind, isFocused: store.form.focus == .kind) {
          store.send(.kindChosen($0))
        } onType: {
          store.send(.form(.focused(.address)))
          store.send(.form(.edited(.address, $0)))
        }
        if store.kind != .desktop {
          field(.address, store.kind.addressTitle, placeholder: store.kind.placeholder)
        }
        otherChannels
        field(.phone, "Phone", placeholder: "+44 20 7183 8750, optional")
        field(.note, "Note", placeholder: "optional")
        role(.responder, "Responder", "is told when you need help")
        role(.dependent, "Dependent", "you respond for them")
        if let error = store.form.errors[.responder] ?? store.form.errors[.dependent] {
          Text("! \(error.errorDescription)").foreground(.danger)
        }
        FormOutcome(form: store.form)
      }
      .padding(.horizontal, 1)
    }
    .commandIf(store.original != nil, "ctrl+o", "All channels") {
      store.send(.channelsButtonTapped)
    }
    .formCommands(store.form) { store.send(.form($0)) }
    .overlay {
      if let newer = store.newer { newerDialog(newer) }
    }
  }

  /// The form has the first channel only; the sheet of channels has them all.
  @ViewBuilder private var otherChannels: some View {
    let others = store.state.otherChannels
    if !others.isEmpty {
      HStack(spacing: 1) {
        Text("and").foreground(.dim).frame(width: formLabelWidth + 1, alignment: .leading)
        Text(others.map { "\($0.kind.mark) \($0.shortAddress)" }.joined(separator: "  "))
          .frame(maxWidth: .max, alignment: .leading)
        Text("Ctrl-O changes these").foreground(.dim)
      }
      .lineLimit(1)
    }
  }

  /// A note of 2,000 characters would leave no room for the answers.
  private static let shownNoteLength = 120

  private func newerDialog(_ newer: Contact) -> some View {
    let note = newer.note.prefix(Self.shownNoteLength)
    let lines = [
      newer.name,
      newer.channels.isEmpty
        ? "no channel" : newer.channels.map(\.shortAddress).joined(separator: ", "),
      newer.phone.map(PhoneNumber.grouped) ?? "no phone", newer.roles.displayText,
      note.isEmpty ? "no note" : note.count < newer.note.count ? "\(note)…" : String(note),
    ]
    return Dialog(
      title: "Changed in another place",
      message: "While you were typing, this contact became:\n\n"
        + lines.map { "  \($0)" }.joined(separator: "\n"),
      role: .warning,
      buttons: [
        DialogButton("Keep editing mine", key: "esc") { store.send(.keepButtonTapped) },
        DialogButton("Edit the newer one", key: "n") { store.send(.newerButtonTapped) },
      ])
  }

  private func field(
    _ field: ContactFormFeature.Field, _ label: String, placeholder: String
  ) -> some View {
    FormField(
      label: label, field: field, form: store.form, placeholder: placeholder, rows: 2,
      send: { store.send(.form($0)) })
  }

  private func role(
    _ field: ContactFormFeature.Field, _ label: String, _ meaning: String
  ) -> some View {
    FormToggle(
      label: label, field: field, form: store.form, meaning: meaning,
      send: { store.send(.form($0)) })
  }
}
