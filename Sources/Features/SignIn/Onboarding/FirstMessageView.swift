import Composable
import Domain
import Terminal

/// The last step's screen, inside the onboarding frame.
struct FirstMessageView: View {
  let store: StoreOf<FirstMessageFeature>

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      Text("Send \(store.responder) a test message").bold()
      if let topic = store.topic { steps(topic) }
      Text("")
      status
    }
    .command(
      "enter", store.isSent ? "Continue" : store.needsMail ? "Set up mail" : "Send test"
    ) { store.send(store.isSent ? .finishButtonTapped : .sendButtonTapped) }
    .commandIf(store.isSent, "t", "Send again") { store.send(.sendButtonTapped) }
    .commandIf(store.topic != nil, "y", "Copy steps") { store.send(.copyButtonTapped) }
    .commandIf(store.topic != nil, "k", "QR code") { store.send(.codeButtonTapped) }
    .commandIf(store.channel.kind == .email && !store.needsMail && !store.isSent, "m", "Mail") {
      store.send(.mailButtonTapped)
    }
    .commandIf(!store.isSent, "l", "Later") { store.send(.finishButtonTapped) }
    .commandIf(store.phase != .sending, "esc", "Back") { store.send(.backButtonTapped) }
  }

  /// Instructions for the responder's phone.
  @ViewBuilder private func steps(_ topic: NtfyTopic) -> some View {
    Text("")
    Text("1. \(store.responder) installs the free app ntfy (ntfy.sh).")
    Text("2. In it, they tap + and subscribe to this topic:")
    Text("   \(topic.name)").bold().foreground(.accent)
    if !topic.isOnPublicServer { Text("   on the server \(topic.server)") }
    Text("3. You send a test and ask whether it arrived.")
    Text("")
    Text(
      store.isCopied
        ? "Copied, if your terminal allows it. Send it to \(store.responder)."
        : "y copies these steps, k shows a code to scan."
    ).foreground(.dim)
  }

  @ViewBuilder private var status: some View {
    switch store.phase {
    case .offered where store.needsMail:
      Text("! Mail isn't set up: \(store.responder) can't be notified yet.").bold()
        .foreground(.danger)
      KeyHint("Enter sets it up. l does it later, under Profile.")
    case .offered:
      Text("Until a test arrives, you can't know that \(store.responder) gets your messages.")
        .bold()
        .foreground(.warning)
      KeyHint("Enter sends it now. l does it later.")
    case .sending: ProgressView("Sending")
    case .done(let result):
      if let error = result.error {
        Text("! Not sent: \(error)\(error.hasSuffix(".") ? "" : ".")").bold().foreground(.danger)
        Text("\(store.responder) can't be notified yet. Enter tries again, l does it later.")
          .foreground(.dim)
      } else {
        Text("✓ Sent. Ask \(store.responder) whether it arrived.").bold().foreground(.calm)
      }
    }
  }
}

/// The topic's QR code, for a phone's camera.
struct TopicCodeView: View {
  let code: [[Bool]]
  let topic: NtfyTopic
  let onClose: @MainActor () -> Void

  var body: some View {
    Sheet("Scan to open the topic", width: 48) {
      QRCode(code, label: "QR code of \(topic.address)")
    }
    .with([Command(key: "esc", title: "Close", action: onClose)])
  }
}
