import Composable
import Domain
import Terminal

/// The form for reminders, grace and repeats.
struct EscalationView: View {
  let store: StoreOf<EscalationFeature>

  var body: some View {
    Sheet("Reminders and grace", width: 64) {
      VStack(alignment: .leading, spacing: 0) {
        toggle(.twoHours, "Remind me", "2h before the deadline")
        toggle(.halfHour, "", "30m before")
        toggle(.tenMinutes, "", "10m before")
        text(.other, "and also", "4h, 45m; optional")
        text(.grace, "Grace", "15m; 0m tells the responders at the deadline")
        text(.repeats, "Repeats", "1h; until a responder answers, or for 48h")
        Text("Responders are told when the grace time after a missed deadline is over.")
          .foreground(.dim)
        FormOutcome(form: store.form)
      }
      .padding(.horizontal, 1)
    }
    .formCommands(store.form) { store.send(.form($0)) }
  }

  private func toggle(
    _ field: EscalationFeature.Field, _ label: String, _ meaning: String
  ) -> some View {
    FormToggle(
      label: label, field: field, form: store.form, meaning: meaning,
      send: { store.send(.form($0)) })
  }

  private func text(
    _ field: EscalationFeature.Field, _ label: String, _ placeholder: String
  ) -> some View {
    FormField(
      label: label, field: field, form: store.form, placeholder: placeholder,
      send: { store.send(.form($0)) })
  }
}
