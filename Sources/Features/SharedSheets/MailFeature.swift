import Clients
import Composable
import Domain
import Terminal

/// The mail account that messages are sent through. Saving it sends a test message and shows the
/// server's answer (ONB-4).
struct MailFeature: Reducer {
  enum Field: FormKey { case address, server, security, username, password }

  struct State: FormState, RecordableBindings {
    static let bindableProperties = [BindableProperty("security", \State.security)]

    var form: Form<Field>
    var security = SMTPSettings.Security.starttls
    /// The saved account, or `nil` if there is none or it isn't loaded yet.
    private(set) var saved: SMTPSettings?
    /// The sendmail program in use, or `nil` if none is.
    private(set) var sendmail: String?
    /// The server and user name that were suggested for the address.
    private var suggestedServer = ""
    private var suggestedUsername = ""
    /// The state of the test message.
    var test = Test.none
    /// The account that was entered here but hasn't sent a test message successfully, so that it
    /// isn't in use.
    var untestedAccount: SMTPSettings?
    /// Whether a password is saved in any source.
    var hasPassword = false

    enum Test: Equatable, Sendable {
      case none, sending
      case done(MailTestResult)
    }

    /// - Parameter address: The person's own address, if known.
    init(address: String?) {
      form = Form([
        .address: TextInput(address ?? "", limit: 300), .server: TextInput(limit: 300),
        .username: TextInput(limit: 300), .password: .secret,
      ])
      suggest()
      form.markUnchanged()
      form.show(Field.allCases)
      if address != nil { form.focus = .password }
    }

    /// Shows the saved transport.
    mutating func show(_ transport: MailTransport) {
      guard case .smtp(let saved) = transport else { return sendmail = transport.name }
      self.saved = saved
      form[.address] = TextInput(saved.from, limit: 300)
      form[.server] = TextInput(saved.server, limit: 300)
      form[.username] = TextInput(saved.username ?? "", limit: 300)
      (suggestedServer, suggestedUsername) = (MailPreset(for: saved.from)?.host ?? "", saved.from)
      security = saved.security
      form.suggestions = []
      form.markUnchanged()
      form.focus = .address
    }

    /// Whether the account is saved and its test message was sent.
    var isSent: Bool { result?.isSent ?? false }

    /// The result of the test.
    var result: MailTestResult? { if case .done(let result) = test { result } else { nil } }

    /// Advice before saving, such as what the mail provider requires.
    var advice: String? {
      security.loginNote ?? MailPreset(for: form[.address].text)?.advice
        ?? sendmail.map { "Mail is sent by \($0) now. Saving uses this server instead." }
    }

    /// Updates the suggested server and user name after a change of address, unless they were
    /// typed.
    mutating func suggest() {
      guard form[.server].text == suggestedServer,
        let preset = MailPreset(for: form[.address].text)
      else { return }
      suggestedServer = preset.host
      form[.server] = TextInput(preset.host, limit: 300)
      form.suggestions.insert(.server)
      security = preset.security
      guard form[.username].text == suggestedUsername else { return }
      suggestedUsername = form[.address].text.trimmingWhitespace()
      form[.username] = TextInput(suggestedUsername, limit: 300)
      form.suggestions.insert(.username)
    }

    var settings: SMTPSettings? {
      var settings = try? SMTPSettings(
        validating: form[.address].text, server: form[.server].text, security: security,
        username: form[.username].text)
      if let saved { settings?.keepDetails(of: saved) }
      return settings
    }

    func validate(_ field: Field) throws(ValidationError) {
      let (address, server) = (form[.address].text, form[.server].text)
      switch field {
      case .address: _ = try ProfileRules.email(address)
      case .server:
        _ = try SMTPSettings(
          validating: "a@example.org", server: server, security: .tls, username: "")
      case .security:
        do throws(ValidationError) {
          _ = try SMTPSettings(
            validating: "a@example.org", server: server, security: security, username: "")
        } catch let error where error == .unencryptedMail {
          throw error
        } catch {
          // The server field shows any other error.
        }
      case .username, .password: break
      }
    }

    func doubt(about field: Field) -> String? {
      field == .address ? ChannelDraft(.email, form[.address].text).doubt : nil
    }
  }

  enum Action: BindableAction, Codable, Equatable, Sendable {
    case binding(BindingAction<State>)
    case opened
    case loaded(MailTransport?)
    case passwordFound
    case form(FormAction<Field>)
    case saved(SMTPSettings)
    case failed(ClientError)
    case tested(MailTestResult)
    /// Keep an account whose test failed: the network may be to blame.
    case keepButtonTapped
    /// The untested account is in use, with its address as one of the person's channels.
    case kept
    /// The untested account is forgotten.
    case discarded

    static let bindingCase = CasePath(reflecting: Self.binding)
  }

  @Dependency(\.mailSettingsClient) var mailSettingsClient
  @Dependency(\.keychainClient) var keychainClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in reduce(&state, action) }
  }

  private func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .binding: state.test = .none
    case .opened:
      return .merge(
        .request(Action.loaded, or: Action.failed) { () throws(ClientError) in
          try await mailSettingsClient.settings()
        }
        .holdingDismissal(false),
        .run { [keychainClient] send in
          if (try? await keychainClient.source(KeychainClient.smtpPassword)) ?? nil != nil {
            await send(.passwordFound)
          }
        })
    case .passwordFound: state.hasPassword = true
    case .loaded(let saved):
      if let saved, !state.form.isChanged { state.show(saved) }

    // While saving, wait for the test; Esc can discard the account after that.
    case .form(.closeButtonTapped) where state.form.isSaving: break
    case .form(.closeButtonTapped)
    where state.form.failure == nil && (state.test != .none || !state.form.isChanged),
      .form(.discardConfirmed):
      guard state.untestedAccount != nil else { return .dismiss() }
      return .request(.discarded, or: Action.failed) { () throws(ClientError) in
        try await mailSettingsClient.discard()
      }
    case .keepButtonTapped:
      guard let kept = state.untestedAccount else { break }
      return .request(.kept, or: Action.failed) { () throws(ClientError) in
        try await mailSettingsClient.keep()
        try await test.keep(kept.from, isTested: false)
      }
    case .discarded, .kept: return .dismiss()
    case .form(.saveButtonTapped) where state.isSent: return .dismiss()
    case .form(let action):
      let texts = Field.allCases.map { state.form[$0].text }
      let address = state.form[.address].text
      let effect = state.apply(action, save: save)
      // Only changed text invalidates the test; moving the caret doesn't.
      if Field.allCases.map({ state.form[$0].text }) != texts { state.test = .none }
      if state.form[.address].text != address { state.suggest() }
      if case .edited(let field, _) = action { state.form.suggestions.remove(field) }
      return effect
    case .saved(let smtp):
      state.form.saved()
      state.test = .sending
      state.untestedAccount = smtp
      return .request(Action.tested, or: Action.failed) { () throws(ClientError) in
        let result = try await mailSettingsClient.test()
        // Only an address that works becomes one of the person's own.
        if result.isSent { try await test.keep(smtp.from, isTested: true) }
        return result
      }
      .holdingDismissal(false)
    case .failed(let error):
      state.test = .none
      state.form.failed(error.text)
    case .tested(let result):
      state.test = .done(result)
      guard result.isSent else { break }
      state.untestedAccount = nil
    }
    return .none
  }

  private var test: ChannelTest { ChannelTest(channelsClient, watchClient, clock: clock) }

  private func save(_ state: State) -> Effect<Action> {
    guard var smtp = state.settings else { return .none }
    // An empty field keeps the password that is saved.
    let password = state.form[.password].text.isEmpty ? nil : state.form[.password].secret
    if password == nil, let saved = state.saved, saved.username == smtp.username {
      (smtp.passwordCommand, smtp.tokenCommand) = (saved.passwordCommand, saved.tokenCommand)
    }
    return .request(.saved(smtp), or: Action.failed) { [smtp] () throws(ClientError) in
      try await mailSettingsClient.save(smtp, password)
    }
  }
}

/// The sheet for the mail account.
struct MailView: View {
  let store: StoreOf<MailFeature>

  var body: some View {
    let choices = SMTPSettings.Security.allCases
    let port = SMTPSettings.port(in: store.form[.server].text)
    FormSheet(
      "Send mail through", width: 70, form: store.form,
      saveTitle: store.isSent ? "Done" : "Send test", canSave: store.test != .sending,
      closeTitle: store.isSent ? "Close" : store.untestedAccount == nil ? "Cancel" : "Discard",
      commands: store.untestedAccount != nil && store.test != .sending
        ? [
          Command(key: "ctrl+s", title: "Keep anyway", isHidden: true) {
            store.send(.keepButtonTapped)
          }
        ] : [],
      send: { store.send(.form($0)) }
    ) { fields in
      fields.text(.address, "Address", "ada@example.org")
      fields.text(.server, "Server", "found by the address")
      Picker(
        "Security", choices: choices.map { "\($0.displayText), port \(port ?? $0.port)" },
        selected: choices.firstIndex(of: store.security) ?? 0,
        isFocused: store.form.focus == .security,
        onChange: { store.binding(\.security).value = choices[$0] }
      )
      .labelWidth(formLabelWidth)
      if let error = store.form.errors[.security] { Text(error.text.sentence).foreground(.danger) }
      fields.text(.username, "User name", "usually the address")
      fields.text(
        .password, "Password",
        store.hasPassword ? "saved; empty keeps it" : "of this mail account")
      Text("")
      result
    }
  }

  @ViewBuilder private var result: some View {
    switch store.test {
    case .none:
      Text(store.advice ?? "The test message goes to your own address.").foreground(.dim)
      untestedAccountChoices
    case .sending:
      ProgressView(
        "Waiting for \(store.untestedAccount?.host ?? "the server"), which can take minutes")
      Text(
        "Esc discards this account."
      ).foreground(.dim)
    case .done(let result):
      Text("\(result.isSent ? "✓" : "!") \(result.text)").bold()
        .foreground(result.isSent ? .calm : .danger)
      if let advice = result.advice { Text(advice).foreground(.dim) }
      untestedAccountChoices
    }
  }

  /// The choice between discarding and keeping an account that isn't proven to work.
  @ViewBuilder private var untestedAccountChoices: some View {
    if store.untestedAccount != nil {
      Text("Esc discards this account, Ctrl-S keeps it anyway.").foreground(.dim)
    }
  }
}

extension MailFeature: SheetFeature {
  static let element = pathElement { MailFeature() }

  static func opened(_: State) -> Action? { .opened }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    MailView(store: store)
  }
}

extension MailFeature.State: SheetState {
  var isChanged: Bool { test == .none && form.isChanged }
}
