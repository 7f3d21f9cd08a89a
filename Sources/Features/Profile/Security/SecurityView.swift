import Composable
import Domain
import Terminal

/// The Security sheet: the locks and sessions of an account.
struct SecurityView: View {
  let store: StoreOf<SecurityFeature>

  var body: some View {
    let rows = store.state.rows
    Sheet("Security", width: 72) {
      VStack(alignment: .leading, spacing: 0) {
        List(
          Array(rows.indices), position: store.position, isFocused: true,
          onMove: { store.send(.moved($0)) }, onOpen: { store.send(.rowOpened($0)) }
        ) { index, _ in
          HStack(spacing: 1) {
            Text(rows[index].title).lineLimit(1)
            Spacer(minLength: 1)
            Text(detail(of: rows[index])).foreground(.dim).lineLimit(1)
          }
        }
        .frame(minHeight: 1, maxHeight: rows.count)
        Text("")
        if let failure = store.failure {
          ErrorView(failure, store, dismiss: .failureDismissed)
        } else if let notice = store.notice {
          Text(notice).foreground(.calm)
        } else if store.sessions == nil {
          ProgressView("Reading your sessions")
        } else {
          Text(explanation).foreground(.dim)
        }
      }
      .padding(.horizontal, 1)
    }
    .command("enter", "Choose") { store.send(.rowOpened(store.position.selected)) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
    .overlay {
      if let question = store.question { dialog(question) }
    }
  }

  private func detail(of row: SecurityFeature.Row) -> String {
    let snapshot = store.snapshot
    switch row {
    case .setPassword: return "none: no sign-in is needed"
    case .setGate: return "none"
    case .allowLinks: return "off"
    case .forbidLinks: return "on"
    case .session(let session) where session.isCurrent: return "this one"
    case .session(let session):
      return "used \(snapshot.calendar.describe(session.lastUsedAt, now: snapshot.now))"
    default: return ""
    }
  }

  private var explanation: String {
    store.snapshot.user.locks.contains(.password)
      ? "A session ends after 30 days without use."
      : "Without a password, anyone who can open the file can use this account."
  }

  private func dialog(_ question: SecurityFeature.Question) -> some View {
    let (title, message, verb) =
      switch question {
      case .end(let session):
        (
          "End this session?",
          "LifeSignal on \(session.device) is signed out at once.", "End it"
        )
      case .allowLinks:
        ("Check in by a link?", LinkCheckIn.explanation, "Allow it")
      case .endOthers:
        ("End all other sessions?", "Every other device is signed out at once.", "End them")
      case .signOut:
        (
          "Sign out?",
          "Your deadline keeps running, and your responders are notified if you miss it.",
          "Sign out"
        )
      }
    return store.ask(
      title, message, no: ("Back", .questionCancelled), yes: (verb, .questionConfirmed))
  }
}

extension SecurityFeature.Row {
  var title: String {
    switch self {
    case .confirmAddress: "Confirm your new e-mail address"
    case .sendAddressCode: "Send another code to the new address"
    case .setPassword: "Set a password"
    case .changePassword: "Change the password"
    case .removePassword: "Remove the password"
    case .setGate: "Set a passphrase gate"
    case .changeGate: "Change the passphrase gate"
    case .removeGate: "Remove the passphrase gate"
    case .allowLinks: "Check in by a link in reminders"
    case .forbidLinks: "Stop checking in by a link"
    case .session(let session): "Session on \(session.device)"
    case .endOthers: "End all other sessions"
    case .signOut: "Sign out"
    case .deleteAccount: "Delete the account"
    }
  }

  /// More words that find the row in the palette.
  var keywords: [String] {
    switch self {
    case .setPassword: ["sign out", "log out"]
    case .signOut: ["log out"]
    case .setGate, .changeGate, .removeGate: ["duress"]
    case .allowLinks, .forbidLinks: ["mail", "e-mail", "ntfy", "anywhere"]
    case .deleteAccount: ["remove"]
    default: []
    }
  }
}
