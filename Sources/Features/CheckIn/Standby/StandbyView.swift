import Composable
import Domain
import Terminal

/// The sheet that asks who watches if this computer is off, and offers what there is.
struct StandbyView: View {
  let store: StoreOf<StandbyFeature>
  let snapshot: AccountSnapshot

  var body: some View {
    Sheet("Who watches if this computer is off?", width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        Text(standing).foreground(isWatched ? .text : .danger)
        Text("lifesignal monitor install starts a monitor that outlives the app.")
          .foreground(.dim)
        Text("")
        fields
      }
      .padding(.horizontal, 1)
    }
    .with(store.form == nil ? loadingCommands : [])
  }

  private var isWatched: Bool { (snapshot.watch?.monitors ?? 0) > 0 }

  private var standing: String {
    isWatched
      ? "While it is on, a monitor on this computer watches. Off, it cannot tell anybody."
      : "Nobody watches now, although this computer is on."
  }

  @ViewBuilder private var fields: some View {
    if let form = store.form {
      field(.heartbeat, "Heartbeat", "https://hc-ping.com/…, optional", form)
      Text("A service that tells your people when this computer's calls stop.").foreground(.dim)
      Text("")
      field(.topic, "ntfy topic", "its name or address, optional", form)
      Text("A message waits there. Each check-in moves it; if none does, it goes out by itself.")
        .foreground(.dim)
      FormOutcome(form: form)
        .command("ctrl+n", "New topic") { store.send(.newTopicButtonTapped) }
        .formCommands(form) { store.send(.form($0)) }
    } else if let failure = store.failure {
      FailureText(failure)
    } else {
      Text("Reading …").foreground(.dim)
    }
  }

  private var loadingCommands: [Command] {
    var commands = [
      Command(key: "esc", title: "Later") { store.send(.closeButtonTapped) }
    ]
    if store.failure?.isRetryable == true {
      commands.append(
        Command(key: "r", title: "Try again") { store.send(.opened) })
    }
    return commands
  }

  private func field(
    _ field: StandbyFeature.Field, _ label: String, _ placeholder: String,
    _ form: Form<StandbyFeature.Field>
  ) -> some View {
    FormField(
      label: label, field: field, form: form, placeholder: placeholder,
      send: { store.send(.form($0)) })
  }
}
