import Clients
import Composable
import ComposableTesting
import Domain
import Foundation
import Terminal
import TerminalTesting
import Testing

@testable import Features

/// A feature that shows an error, and the keys with which the person answers it.
private struct ErrorPlace: CustomTestStringConvertible, Sendable {
  /// The file that declares the property, and its name.
  let property: String
  /// The key that tries again, or `nil` if what failed is repeated by itself or by its own command.
  let retry: String?
  /// Whether Esc dismisses the error. Otherwise it closes the screen or dialog that shows it.
  let isDismissed: Bool
  let view: @MainActor @Sendable (ErrorText) -> any View

  init(
    _ property: String, retry: String? = nil, isDismissed: Bool = true,
    _ view: @escaping @MainActor @Sendable (ErrorText) -> any View
  ) {
    (self.property, self.retry, self.isDismissed) = (property, retry, isDismissed)
    self.view = view
  }

  var testDescription: String { property }
}

@MainActor private func store<State: Sendable, Action: Sendable>(
  _ state: State, _ change: (inout State) -> Void, as _: Action.Type
) -> Store<State, Action> {
  var state = state
  change(&state)
  return Store(initialState: state) { Reduce { _, _ in .none } }
}

/// Every place that shows an error.
private let places: [ErrorPlace] = [
  ErrorPlace("AlertsFeature.failure", retry: "r") { error in
    AlertsView(
      store: store(
        AlertsFeature.State(snapshot: Sample.snapshot()),
        { $0.failure = Failure(error, retry: .drillConfirmed) }, as: AlertsFeature.Action.self))
  },
  ErrorPlace("CheckInFeature.request", retry: "r") { error in
    CheckInView(
      store: store(
        CheckInFeature.State(snapshot: Sample.snapshot()), { $0.request.failure = Failure(error) },
        as: CheckInFeature.Action.self))
  },
  ErrorPlace("BackFeature.request", retry: "enter", isDismissed: false) { error in
    BackView(
      store: store(
        BackFeature.State(snapshot: Sample.out), { $0.request.failure = Failure(error) },
        as: BackFeature.Action.self))
  },
  ErrorPlace("HistoryFeature.request", retry: "r") { error in
    HistoryView(
      store: store(
        HistoryFeature.State(snapshot: Sample.snapshot()),
        { $0.request.failure = Failure(error, retry: .retryButtonTapped) },
        as: HistoryFeature.Action.self))
  },
  ErrorPlace("IntervalFeature.request", retry: "enter", isDismissed: false) { error in
    IntervalView(
      store: store(
        IntervalFeature.State(snapshot: Sample.snapshot()),
        {
          $0.proposed = .interval(.standard)
          $0.request.failure = Failure(error)
        }, as: IntervalFeature.Action.self), snapshot: Sample.snapshot())
  },
  ErrorPlace("PauseFeature.request", retry: "enter") { error in
    PauseView(
      store: store(
        PauseFeature.State(snapshot: Sample.snapshot()),
        {
          $0.step = .confirming(Sample.now + .hours(48))
          $0.request.failure = Failure(error)
        }, as: PauseFeature.Action.self))
  },
  ErrorPlace("StandbyFeature.failure", retry: "r", isDismissed: false) { error in
    StandbyView(
      store: store(
        StandbyFeature.State(), { $0.failure = error }, as: StandbyFeature.Action.self),
      snapshot: Sample.snapshot())
  },
  ErrorPlace("PingsFeature.request") { error in
    PingsBanner(
      store: store(
        PingsFeature.State(snapshot: Sample.snapshot(contacts: [Sample.hedy])),
        { $0.request.failure = Failure(error) }, as: PingsFeature.Action.self), key: "g")
  },
  ErrorPlace("ProfileFeature.request", retry: "r") { error in
    ProfileView(
      store: store(
        ProfileFeature.State(snapshot: Sample.snapshot()),
        { $0.request.failure = Failure(error, retry: .opened) },
        as: ProfileFeature.Action.self))
  },
  ErrorPlace("SecurityFeature.failure", retry: "r") { error in
    SecurityView(
      store: store(
        SecurityFeature.State(snapshot: Sample.snapshot()),
        { $0.failure = Failure(error, retry: .opened) }, as: SecurityFeature.Action.self))
  },
  ErrorPlace("SilentAlertFeature.request", retry: "enter") { error in
    SilentAlertView(
      store: store(
        SilentAlertFeature.State(), { $0.request.failure = Failure(error) },
        as: SilentAlertFeature.Action.self),
      snapshot: Sample.snapshot())
  },
  ErrorPlace("ChannelsFeature.request") { error in
    ChannelsView(
      store: store(
        ChannelsFeature.State(snapshot: Sample.snapshot()), { $0.request.failure = Failure(error) },
        as: ChannelsFeature.Action.self))
  },
  ErrorPlace("ChannelLogFeature.failure") { error in
    ChannelLogView(
      store: store(
        ChannelLogFeature.State(of: Sample.grace.channels[0]), { $0.failure = error },
        as: ChannelLogFeature.Action.self), snapshot: Sample.snapshot())
  },
  ErrorPlace("ChannelTopicsFeature.request", retry: "r") { error in
    ChannelTopicsView(
      store: store(
        ChannelTopicsFeature.State(of: Sample.grace.channels[0]),
        { $0.request.failure = Failure(error, retry: .switched(.pauses, isMuted: true)) },
        as: ChannelTopicsFeature.Action.self), snapshot: Sample.snapshot())
  },
  ErrorPlace("DocumentsFeature.failure", retry: "r") { error in
    DocumentsView(
      store: store(
        DocumentsFeature.State(), { $0.failure = .init(text: error, attempt: .read) },
        as: DocumentsFeature.Action.self))
  },
  ErrorPlace("SharedDocumentsFeature.failure", retry: "r") { error in
    SharedDocumentsView(
      store: store(
        SharedDocumentsFeature.State(contact: Sample.grace), { $0.failure = .init(text: error) },
        as: SharedDocumentsFeature.Action.self))
  },
  ErrorPlace("RolesFeature.request", retry: "enter", isDismissed: false) { error in
    RolesView(
      store: store(
        RolesFeature.State(contact: Sample.grace),
        {
          $0.proposed = .dependent
          $0.request.failure = Failure(error)
        }, as: RolesFeature.Action.self))
  },
  ErrorPlace("LaterFeature.request", retry: "Enter") { error in
    LaterView(
      store: store(
        LaterFeature.State(snapshot: Sample.out), { $0.request.failure = Failure(error) },
        as: LaterFeature.Action.self))
  },
  ErrorPlace("WaitFeature.request", retry: "r") { error in
    WaitView(
      store: store(
        WaitFeature.State(contact: Sample.grace), { $0.request.failure = Failure(error) },
        as: WaitFeature.Action.self))
  },
  ErrorPlace("CodeFeature.request", retry: "r") { error in
    CodeView(
      store: store(
        CodeFeature.State(code: Sample.user.code),
        { $0.request.failure = Failure(error, retry: .resetConfirmed) }, as: CodeFeature.Action.self
      ))
  },
  ErrorPlace("InvitationsFeature.request") { error in
    InvitationsView(
      store: store(
        InvitationsFeature.State(for: .responder), { $0.request.failure = Failure(error) },
        as: InvitationsFeature.Action.self), snapshot: Sample.snapshot())
  },
  ErrorPlace("InvitationsFeature.readingFailure") { error in
    InvitationsView(
      store: store(
        InvitationsFeature.State(for: .responder), { $0.readingFailure = error },
        as: InvitationsFeature.Action.self), snapshot: Sample.snapshot())
  },
  ErrorPlace("ContactDetailsFeature.request", retry: "r") { error in
    ContactDetailsView(
      store: store(
        ContactDetailsFeature.State(contact: Sample.grace, snapshot: Sample.snapshot()),
        { $0.request.failure = Failure(error, retry: .acceptButtonTapped) },
        as: ContactDetailsFeature.Action.self))
  },
  ErrorPlace("PromptFeature.error", retry: "enter") { error in
    PromptView(
      store: store(
        PromptFeature.State(), { $0.request = SecretRequest(id: 1, kind: .password, error: error) },
        as: PromptFeature.Action.self))
  },
  ErrorPlace("Form.failure", retry: "enter") { error in
    EditProfileView(
      store: store(
        EditProfileFeature.State(profile: Sample.user.profile), { $0.form.failure = error },
        as: EditProfileFeature.Action.self))
  },
  ErrorPlace("Form.failure in a screen", retry: "enter") { error in
    AuthenticationView(
      store: store(
        AuthenticationFeature.State(), { $0.form.failure = error },
        as: AuthenticationFeature.Action.self))
  },
  ErrorPlace("Form.failure in the onboarding", retry: "enter") { error in
    OnboardingView(
      store: store(
        OnboardingFeature.State(calendar: .utc), { $0.form.failure = error },
        as: OnboardingFeature.Action.self))
  },
  ErrorPlace("Form.failure of a picture", retry: "enter") { error in
    PictureView(
      store: store(
        PictureFeature.State(user: Sample.user), { $0.form.failure = error },
        as: PictureFeature.Action.self), picture: nil)
  },
  ErrorPlace("Form.failure of a deletion", retry: "enter") { error in
    DeletionView(
      store: store(
        DeletionFeature.State(snapshot: Sample.snapshot()), { $0.form.failure = error },
        as: DeletionFeature.Action.self))
  },
  ErrorPlace("AppFeature.failure", retry: "r", isDismissed: false) { error in
    FailureView(error: error, isOfServer: true) {}
  },
]

/// The properties that hold an error and show it in another way.
private let otherwise = [
  "EmergencyFeature.problem": "the emergency panel says what to do in its own words, in large type",
  "EmergencyFeature.reason": "the same, for an alert that is kept in a file",
  "EmergencyFeature.messageProblem": "the same, beside the message that wasn't sent",
  "CodeEntryFeature.request": "its error is the form's",
  "AccountSnapshot.error": "a stream that failed is said on every tab, and opened again by itself",
]

@MainActor @Suite struct ErrorViewTests {
  private static let error = ErrorText(
    "NETWORK_UNAVAILABLE", "The example can't be reached.", recovery: "Check the example.",
    isRetryable: true)

  /// The files of the features, by name.
  private static func sources() throws -> [(name: String, text: String)] {
    let root = #filePath.replacing(
      "Tests/FeaturesTests/ErrorViewTests.swift", with: "Sources/Features")
    return try #require(FileManager.default.enumerator(atPath: root))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
      .map { file in
        (
          String(file.split(separator: "/").last!.dropLast(6)),
          try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
        )
      }
  }

  @Test("Every error that a feature holds has a view")
  func everyError() throws {
    var found: Set<String> = []
    // These hold the errors of others.
    for (file, text) in try Self.sources() where !["ErrorView", "Request"].contains(file) {
      let feature = file.prefix { $0 != "+" }
      for match in text.matches(
        of:
          /\n +(?:private\(set\) )?var (\w+)(?:: (?:ErrorText|Failure(?:<Action>)?)\?| = Request<Action>\(.*\))\n/
      ) {
        found.insert("\(feature).\(match.1)")
      }
    }
    #expect(found.count > 20)
    let shown = Set(places.map { String($0.property.prefix { $0 != " " }) })
    #expect(found.subtracting(shown).subtracting(otherwise.keys) == [])
    #expect(shown.subtracting(found) == ["PromptFeature.error"], "It is in a value of the client.")
  }

  @Test("Only the error view and form fields show an error's sentence")
  func noOtherView() throws {
    // A field's error is beneath the field; a test message has a result of its own; a prompt isn't
    // an error.
    let fields = ["ErrorView", "FormField", "MailFeature", "FirstMessageFeature", "PromptFeature"]
    // Large type, and a line of a table.
    let ellipses = ["EmergencyView", "EmergencyFeature", "AlertsView", "AlertOutcome"]
    for (file, text) in try Self.sources() {
      for line in text.split(separator: "\n") {
        #expect(
          fields.contains(file) || !line.contains(/(?:Text|Banner)\(.*\.sentence/),
          "\(file): \(line)")
        #expect(
          ellipses.contains(file) || !line.contains(/Text\(\s*"[^"]* …"/), "\(file): \(line)")
      }
    }
  }

  private func look(_ place: ErrorPlace, _ error: ErrorText) -> (
    text: String, keys: [KeyPress: String]
  ) {
    let host = ViewHost()
    let view = place.view(error)
    func frame(_ view: some View) -> Frame {
      host.frame(VStack { view }, size: Size(columns: 100, rows: 40))
    }
    let text = frame(view).lines.joined(separator: " ")
      .split { !$0.isLetter && !$0.isNumber && !".'".contains($0) }.joined(separator: " ")
    let keys = host.commands.compactMap { command in command.key.map { ($0, command.title) } }
    return (text, Dictionary(keys, uniquingKeysWith: { first, _ in first }))
  }

  @Test(
    "An error shows what happened and what to do, with Try again and Dismiss", arguments: places)
  fileprivate func says(_ place: ErrorPlace) {
    let (text, keys) = look(place, Self.error)
    #expect(text.contains("The example can't be reached."))
    #expect(text.contains("Check the example."))
    if let retry = place.retry {
      #expect(text.contains("Try again") || keys[KeyPress(stringLiteral: retry)] == "Try again")
      #expect(keys[KeyPress(stringLiteral: retry)] != nil)
    }
    if place.isDismissed {
      #expect(keys["esc"] == "Dismiss")
      #expect(text.contains("Esc Dismiss"))
    }
  }

  @Test(
    "An error that can't be retried doesn't offer Try again",
    arguments: places.filter { $0.property != "AppFeature.failure" })
  fileprivate func saysNoMore(_ place: ErrorPlace) {
    var error = Self.error
    error.isRetryable = false
    let (text, keys) = look(place, error)
    #expect(text.contains("The example can't be reached."))
    #expect(!text.contains("Try again"))
    #expect(keys["r"] != "Try again")
  }

  /// What each place shows, without its empty lines.
  private func picture(_ view: some View) -> [String] {
    FrameSnapshot.lines(of: VStack { view }, size: Size(columns: 80, rows: 24))
      .filter { $0.contains { !" │".contains($0) } }
  }

  private func picture(_ change: (inout AppFeature.State) -> Void) -> [String] {
    picture(AppView(store: Screen.store(Screen.changing(Screen.signedIn(), change))))
  }

  @Test(
    "The same error looks the same on every screen that can show it",
    arguments: [
      ("server", NetworkError.serverUnreachable("family.example").text),
      ("disk", StorageError.full.text), ("token", ClientError.sessionExpired.text),
    ] as [(String, ErrorText)])
  func everywhere(name: String, error: ErrorText) {
    var lines = places.flatMap { ["", "# \($0.property)"] + picture($0.view(error)) }
    lines += ["", "# AccountSnapshot.error"]
    lines += picture { state in
      state.show { $0.note(error, of: .user, at: Sample.now - .minutes(9)) }
    }
    lines += ["", "# EmergencyFeature.problem"]
    lines += picture { $0.main?.emergency.phase = .failed(error) }
    expectLines(Array(lines.dropFirst()), named: "error-of-\(name)")
  }

  @Test("If the mail account fails, every tab, the mail sheet, the log and the onboarding say so")
  func mailbox() throws {
    let problem = "mail.example.org refuses the login; run lifesignal mail setup"
    var lines: [String] = []
    for tab in MainTabFeature.Tab.allCases {
      lines += ["", "# \(tab)"]
      let rows = picture { state in
        state.main?.selectedTab = tab
        state.show { $0.watch = WatchStatus(monitors: 1, lastSeen: Sample.now, problem: problem) }
      }
      #expect(rows.contains { $0.contains("◐ unsent") }, "\(tab)")
      lines += rows
    }
    for name in ["mail-refused", "channels-log", "onboarding-first-message-failed"] {
      let screen = try #require(Screen.all.first { $0.name == name })
      lines += ["", "# \(name)"] + picture(AppView(store: Screen.store(screen.state())))
    }
    expectLines(Array(lines.dropFirst()), named: "error-of-mailbox")
  }

  @Test("A long error is shown in full, with its keys below")
  func long() {
    var error = Self.error
    error.description = (1...30).map { "word\($0)" }.joined(separator: " ") + "."
    let frame = ViewHost().frame(
      ErrorView(error, retry: .key {}, dismiss: {}), size: Size(columns: 40, rows: 12))
    let lines = frame.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    #expect(lines.dropLast().joined(separator: " ") == error.sentence)
    #expect(lines.last == "r Try again · Esc Dismiss")
  }
}
