import Composable
import Domain
import Terminal

/// The person's own data, read-only; editing happens in sheets.
struct ProfileView: View {
  let store: StoreOf<ProfileFeature>

  /// Whether a sheet covers the tab.
  var hasSheet = false

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      SizeReader { size in
        ScrollView(
          offset: store.scrollOffset, isFocused: true, onScroll: { store.send(.scrolled($0)) }
        ) {
          if size.columns >= 100 {
            HStack(alignment: .top, spacing: 4) {
              VStack(alignment: .leading, spacing: 1) {
                person
                note
              }
              .frame(maxWidth: .max, alignment: .leading)
              VStack(alignment: .leading, spacing: 1) {
                checkIns
                account
              }
              .frame(width: size.columns / 2 - 4, alignment: .leading)
            }
          } else {
            VStack(alignment: .leading, spacing: 1) {
              person
              VStack(alignment: .leading, spacing: 0) {
                checkIns
                account
              }
              note
            }
          }
        }
      }
      RequestView(
        store.request, store, progress: "Reading your profile", dismiss: .failureDismissed)
      Text("LifeSignal is no substitute for emergency services.").foreground(.dim)
    }
    .padding(1)
    .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
    .border(title: "Profile")
    .command(
      "e", "Edit", fullTitle: "Edit your profile", keywords: ["name", "phone", "note", "address"]
    ) {
      store.send(.editButtonTapped)
    }
    .commandIf(
      store.snapshot.host == .thisMachine, "m", "Mail", fullTitle: "Set up mail",
      keywords: ["e-mail", "smtp", "server"]
    ) {
      store.send(.mailButtonTapped)
    }
    .command(
      "c", "Channels", fullTitle: "Set up your channels",
      keywords: ["ntfy", "webhook", "telegram", "signal", "mute"]
    ) {
      store.send(.channelsButtonTapped)
    }
    .command(
      "d", "Documents", fullTitle: "Open emergency documents", keywords: ["file", "attachment"]
    ) {
      store.send(.documentsButtonTapped)
    }
    .command("i", "How often", fullTitle: "Change how often you check in") {
      store.send(.intervalButtonTapped)
    }
    .command(
      "r", "Reminders", fullTitle: "Change reminders and grace", keywords: ["repeat"]
    ) { store.send(.remindersButtonTapped) }
    .command(
      "s", "Security", fullTitle: "Open security",
      keywords: ["password", "passphrase", "duress", "session"]
    ) {
      store.send(.securityButtonTapped)
    }
    .command("t", "Settings", fullTitle: "Change settings", keywords: Self.looks) {
      store.send(.settingsButtonTapped)
    }
    .command("p", "Picture", fullTitle: "Change your picture", keywords: ["photo", "portrait"]) {
      store.send(.pictureButtonTapped)
    }
    .command("k", "My code", fullTitle: "Show my code", keywords: ["qr", "share"]) {
      store.send(.codeButtonTapped)
    }
    .command(
      "l", "Error log", fullTitle: "Show the error log", keywords: ["diagnostics", "problem"]
    ) {
      store.send(.errorLogButtonTapped)
    }
    .with(securityCommands)
  }
}

extension ProfileView {
  private static let looks = [
    "theme", "colour", "color", "dark", "light", "contrast", "ascii", "motion", "appearance",
  ]

  /// Palette commands for the rows of the Security sheet. Each opens the sheet and the row.
  ///
  /// The command for a silent alert stands nowhere, because the person may be watched by the one
  /// who forces them: it is found by typing its word (CHK-3).
  private var securityCommands: [Command] {
    SecurityFeature.State(snapshot: store.snapshot).rows.enumerated().map { index, row in
      Command(key: nil, title: row.title, keywords: row.keywords) {
        store.send(.securityChosen(.row(index)))
      }
    } + [
      Command(
        key: nil, title: "Check for a silent alert", keywords: ["silent alert", "silent"],
        needsKeyword: true
      ) {
        store.send(.securityChosen(.silentAlert))
      }
    ]
  }

  private var person: some View {
    let user = store.snapshot.user
    return HStack(alignment: .top, spacing: 2) {
      VStack(alignment: .leading, spacing: 0) {
        Text(user.profile.name).bold().foreground(.accent)
        Text("")
        LabeledContent("phone", value: user.profile.phone.map(PhoneNumber.grouped) ?? "–")
        LabeledContent(
          "address", value: user.profile.address ?? "– (press e: help must know where to go)")
        LabeledContent("reminders to", value: reminders(to: store.snapshot))
        if let reason = store.snapshot.reminderFailure {
          Text("! No reminder is sent: \(reason).").foreground(.warning)
        }
      }
      .frame(maxWidth: .max, alignment: .leading)
      PortraitView(picture: store.portrait.picture, name: user.profile.name)
        // A sheet would cover only half of it.
        .hidden(hasSheet)
    }
  }

  private var checkIns: some View {
    let user = store.snapshot.user
    return VStack(alignment: .leading, spacing: 0) {
      LabeledContent("check in", value: user.promiseText)
      LabeledContent(
        "reminded",
        value: user.reminders.isEmpty
          ? "never"
          : user.reminders.map(\.exactDescription).joined(separator: " and ")
            + " before the deadline")
      LabeledContent(
        "grace",
        value: user.grace == .zero
          ? "none: responders are notified at the deadline"
          : "responders are notified \(user.grace.exactDescription) after the deadline")
    }
  }

  private var account: some View {
    let user = store.snapshot.user
    return VStack(alignment: .leading, spacing: 0) {
      LabeledContent("since", value: store.snapshot.calendar.time(of: user.createdAt).dateText)
      LabeledContent("theme", value: store.terminalSettings.appearance.theme.rawValue)
      LabeledContent("signing in", value: signingIn(user.locks))
    }
  }

  private var note: some View {
    let note = store.snapshot.user.profile.note
    return VStack(alignment: .leading, spacing: 0) {
      LabeledContent("emergency note", value: note.isEmpty ? "–" : note)
      LabeledContent("how to get in", value: store.snapshot.user.profile.access ?? "–")
    }
  }

  /// The channels that get reminders, as shown in the profile.
  private func reminders(to snapshot: AccountSnapshot) -> String {
    let reminded = snapshot.remindedChannels
    guard !reminded.isEmpty else { return "this screen only" }
    // The channel for the account's address has the account's identifier.
    let unconfirmed = snapshot.user.locks.contains(.unconfirmedAddress) ? snapshot.user.id : nil
    return reminded.map {
      "\($0.kind.mark)\u{A0}\($0.shortAddress)\($0.id == unconfirmed ? " (not confirmed)" : "")"
    }
    .joined(separator: "  ")
  }

  private func signingIn(_ locks: User.Locks) -> String {
    let password = locks.contains(.password) ? "with a password" : "without a password"
    return locks.contains(.gate) ? "\(password); a passphrase before a check-in" : password
  }
}
