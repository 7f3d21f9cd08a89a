import Clients
import Composable
import Domain
import Terminal

/// Creates an account in four steps: name, phone and address, emergency note, interval and reminders, first
/// responder (ONB-1). It ends with a test message to that responder (ONB-4).
struct OnboardingFeature: Reducer {
  enum Step: Int, CaseIterable, Comparable, Sendable {
    case person, note, interval, responder

    static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
  }

  enum Field: FormKey {
    case name, phone, address, note, interval, reminder, email, responderName, responderKind,
      responderAddress

    var step: Step {
      switch self {
      case .name, .phone, .address: .person
      case .note: .note
      case .interval, .reminder, .email: .interval
      case .responderName, .responderKind, .responderAddress: .responder
      }
    }
  }

  struct State: Equatable, Sendable {
    let calendar: CivilCalendar
    /// The credentials of the new account, or `nil` for the first account of a store, which needs
    /// none.
    let credentials: Credentials?
    let host: AccountHost
    /// The name of the inviter who becomes their responder, or `nil`.
    let inviter: String?
    private(set) var step = Step.person
    var form: Form<Field>
    /// The kind of channel for the first responder. The default is ntfy, which needs no setup
    /// (ONB-4).
    private(set) var responderKind = Channel.Kind.ntfy
    /// The suggested topic, or `nil` until it is created.
    private(set) var topic: NtfyTopic?
    /// The addresses typed for other kinds of channel, kept in case the person switches back.
    private var otherAddresses: [Channel.Kind: TextInput] = [:]
    /// Whether the warning about having no responder is open (ONB-1).
    var isConfirmingNoResponder = false
    /// Whether to ask next who watches while this computer is off (WCH-2).
    var asksForStandby = false
    /// The last step, once the account exists.
    var firstMessage: FirstMessageFeature.State?
    /// The existing account while its first responder is being changed.
    var created: Created?

    /// An account and every name that its first responder may have, since a change without an
    /// answer may still have been made.
    struct Created: Equatable, Sendable {
      let message: FirstMessageFeature.State
      var names: Set<String>
      var user: User { message.user }
    }

    /// Whether leaving would lose typed text.
    var isChanged: Bool { firstMessage == nil && form.isChanged }

    init(
      calendar: CivilCalendar, credentials: Credentials? = nil, host: AccountHost = .thisMachine,
      inviter: String? = nil
    ) {
      self.calendar = calendar
      self.credentials = credentials
      self.host = host
      self.inviter = inviter
      form = Form(
        [
          .name: TextInput(limit: 200),
          .phone: TextInput(limit: 200),
          .address: TextInput(limit: 200),
          .note: TextInput(limit: 2_000, isMultiline: true),
          .interval: TextInput("24h", limit: 40),
          .reminder: TextInput("30m", limit: 40),
          .email: TextInput(credentials?.email ?? "", limit: 300),
          .responderName: TextInput(limit: 200),
          .responderAddress: TextInput(limit: 2_000),
        ], suggestions: [.interval, .reminder])
      show(.person)
    }

    /// Resumes the last step for an account that was created earlier (ONB-4).
    init(resuming message: FirstMessageFeature.State, calendar: CivilCalendar, host: AccountHost) {
      self.init(calendar: calendar, host: host)
      // Fill the previous steps from the account, since Esc goes back to the last of them.
      let user = message.user
      for (field, text) in [
        (.name, user.profile.name), (.interval, user.interval.span.exactDescription),
        (.reminder, ""),
      ] as [(Field, String)] {
        form[field] = TextInput(text, limit: 200)
      }
      fillResponder(from: message)
      firstMessage = message
    }

    /// Fills in the stored first responder.
    private mutating func fillResponder(from message: FirstMessageFeature.State) {
      form[.responderName] = TextInput(message.responder, limit: 200)
      choose(message.channel.kind)
      let address = message.channel.address
      form[.responderAddress] = TextInput(
        topic.map { $0.address == address ? $0.name : address } ?? address, limit: 2_000)
    }

    /// The typed account, or `nil` while a field is invalid.
    var account: NewAccount? {
      guard
        let profile = try? Profile(
          validating: form[.name].text, phone: form[.phone].text, note: form[.note].text,
          email: form[.email].text, address: form[.address].text),
        let interval = try? CheckInInterval(parsing: form[.interval].text),
        let reminders = try? EscalationRules.reminders(
          parsing: form[.reminder].text, interval: interval)
      else { return nil }
      var responders: [ContactDraft] = []
      if form.hasResponder(besides: topic) {
        guard
          let draft = try? ContactDraft(
            validating: form[.responderName].text,
            channels: [ChannelDraft(responderKind, form[.responderAddress].text)],
            roles: .responder)
        else { return nil }
        responders = [draft]
      }
      return NewAccount(
        profile: profile, interval: interval, reminders: reminders, responders: responders,
        credentials: credentials)
    }

    /// Shows a step and focuses its first field.
    mutating func show(_ step: Step) {
      self.step = step
      form.show(
        Field.allCases.filter {
          $0.step == step && ($0 != .email || credentials == nil)
            && ($0 != .responderAddress || responderKind != .desktop)
        })
    }

    /// Goes back from the last step to the responder. Earlier steps are already stored and can be
    /// changed on Profile.
    mutating func changeResponder() {
      guard let message = firstMessage else { return }
      created = Created(message: message, names: [message.responder])
      firstMessage = nil
      // Show the stored responder, not text from an abandoned change.
      fillResponder(from: message)
      show(.responder)
    }

    /// Suggests a topic, which typing replaces.
    mutating func suggest(_ topic: NtfyTopic) {
      self.topic = topic
      guard responderKind == .ntfy, form[.responderAddress].text.isEmpty else { return }
      form[.responderAddress] = TextInput(topic.name, limit: 2_000)
      form.suggestions.insert(.responderAddress)
      if form.focus == .responderAddress { form[.responderAddress].apply(.selectAll) }
    }

    /// Switches to e-mail if an address with `@` was typed as a topic, since topics never contain
    /// one.
    fileprivate mutating func recognizeMail() {
      let address = form[.responderAddress]
      guard responderKind == .ntfy, address.text.contains("@") else { return }
      form[.responderAddress] = TextInput(topic?.name ?? "", limit: 2_000)
      choose(.email)
      form[.responderAddress] = address
      form.focus = .responderAddress
    }

    /// Switches to another kind of channel for the first responder.
    mutating func choose(_ kind: Channel.Kind) {
      guard kind != responderKind else { return }
      otherAddresses[responderKind] = form[.responderAddress]
      responderKind = kind
      form[.responderAddress] =
        otherAddresses.removeValue(forKey: kind) ?? TextInput(limit: 2_000)
      form.suggestions.remove(.responderAddress)
      if kind == .ntfy, let topic, form[.responderAddress].text.isEmpty { suggest(topic) }
      form.touched.remove(.responderAddress)
      form.errors[.responderAddress] = nil
      show(.responder)
      form.focus = .responderKind
    }

    /// A question about a field that is valid but looks like a mistake, or `nil`.
    func doubt(about field: Field) -> String? {
      switch field {
      case .email: ChannelDraft(.email, form[.email].text).doubt
      case .responderAddress where form.hasResponder(besides: topic):
        ChannelDraft(responderKind, form[.responderAddress].text).doubt(
          ofResponderTo: [ChannelDraft(.email, form[.email].text)])
      default: nil
      }
    }

    /// The validation of the fields.
    var validation: Form<Field>.Validation {
      OnboardingFeature.validation(responderKind, topic)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    /// Enter: moves to the next field, or from the last one to the next step.
    case continueButtonTapped
    case backButtonTapped
    /// Goes back from the first step to the sign-up form.
    case left
    case standbyButtonTapped
    case responderKindChosen(Channel.Kind)
    case topicMade(NtfyTopic)
    case noResponderConfirmed
    case noResponderCancelled
    case accountCreated(User)
    case creationFailed(ClientError)
    case firstMessage(FirstMessageFeature.Action)
    /// The account exists, and its first message was sent or postponed.
    case finished(User)

    /// Whether the action changes the form or leaves the step.
    fileprivate var isEditing: Bool {
      switch self {
      case .form, .continueButtonTapped, .backButtonTapped, .left, .standbyButtonTapped,
        .responderKindChosen, .topicMade:
        true
      default: false
      }
    }

    static let firstMessageCase = CasePath(Self.firstMessage) {
      if case .firstMessage(let action) = $0 { action } else { nil }
    }
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.storageClient) var storageClient

  /// The kinds of channel to choose from. The first needs no setup.
  static let kinds: [Channel.Kind] = [.ntfy, .email, .webhook, .desktop]

  var body: some ReducerOf<Self> {
    Reduce { state, action in step(&state, action) }
      .ifLet(\.firstMessage, action: Action.firstMessageCase) { FirstMessageFeature() }
  }

  private func step(_ state: inout State, _ action: Action) -> Effect<Action> {
    // The form must not change while it is being saved.
    guard !state.form.isSaving || !action.isEditing else { return .none }
    switch action {
    case .form(.nextField) where state.form.shown.count == 1:
      // In a multi-line field Enter starts a new line, so Tab continues.
      return goOn(&state)

    case .form(let action):
      // A step isn't saved or closed on its own, so ignore the form's requests.
      _ = state.form.apply(action, validate: state.validation)
      if case .edited(.responderAddress, _) = action { state.recognizeMail() }
      let typed = state
      state.form.showDoubts(typed.doubt(about:))

    case .continueButtonTapped: return goOn(&state)

    case .backButtonTapped:
      if let message = state.created?.message {
        // Return to the last step without a change.
        (state.created, state.firstMessage) = (nil, message)
      } else if let previous = Step(rawValue: state.step.rawValue - 1) {
        state.show(previous)
        if let last = state.form.shown.last { state.form.focus = last }
      } else if state.credentials != nil {
        return .send(.left)
      }

    case .left: break
    case .standbyButtonTapped: state.asksForStandby.toggle()
    case .responderKindChosen(let kind): state.choose(kind)
    case .topicMade(let topic): state.suggest(topic)

    case .noResponderConfirmed:
      state.isConfirmingNoResponder = false
      return create(&state)

    case .noResponderCancelled:
      state.isConfirmingNoResponder = false
      state.form.focus = .responderName
    case .accountCreated(let user):
      state.form.saved()
      guard let responder = state.account?.responders.first, let channel = responder.channels.first
      else { return .send(.finished(user)) }
      state.firstMessage = FirstMessageFeature.State(
        user: user, responder: responder.name, channel: channel)
      return .send(.firstMessage(.opened))
    case .firstMessage(.backButtonTapped): state.changeResponder()
    case .firstMessage(.finishButtonTapped):
      guard let user = state.firstMessage?.user else { return .none }
      return .run { [storageClient] send in
        try? await storageClient.deleteDocument(.firstMessage)
        await send(.finished(user))
      }
    case .firstMessage, .finished: break
    case .creationFailed(let error): state.form.failed(error.text)
    }
    return .none
  }

  /// Moves to the next field if the focused one is valid, from the last field to the next step, and
  /// from the last step on to creating the account.
  private func goOn(_ state: inout State) -> Effect<Action> {
    guard state.form.failure != nil || state.form.focus == state.form.shown.last else {
      state.form.advance(state.validation)
      return .none
    }
    guard state.form.isRight(state.validation) else { return .none }
    let typed = state
    guard !state.form.raisesDoubts(typed.doubt(about:)) else { return .none }
    if let next = Step(rawValue: state.step.rawValue + 1) {
      state.show(next)
      return next == .responder && state.topic == nil ? makeTopic : .none
    }
    guard state.form.hasResponder(besides: state.topic) else {
      state.isConfirmingNoResponder = true
      return .none
    }
    return create(&state)
  }

  /// Creates a topic to suggest. If that fails, the person can still type one.
  private var makeTopic: Effect<Action> {
    .run { [channelsClient] send in
      if let topic = try? await channelsClient.newTopic() { await send(.topicMade(topic)) }
    }
  }

  private func create(_ state: inout State) -> Effect<Action> {
    guard !state.form.isSaving, let account = state.account else { return .none }
    state.form.isSaving = true
    state.form.failure = nil
    let responder = account.responders.first
    let before = state.created
    if let responder { state.created?.names.insert(responder.name) }
    return .request(Action.accountCreated, or: Action.creationFailed) { () throws(ClientError) in
      let user: User
      if let before {
        try await replace(before.names, by: responder)
        user = before.user
      } else {
        user = try await authClient.createAccount(account)
      }
      // Before the step is shown, so that finishing it can't be overtaken by this. If it fails, the
      // step just isn't resumed after a restart.
      if let responder {
        let open = OpenFirstMessage(responder: responder.name)
        try? await storageClient.setValue(open, at: .firstMessage)
      }
      return user
    }
  }

  /// Replaces the first responder, who is stored under one of `names`.
  private func replace(
    _ names: Set<String>, by responder: ContactDraft?
  ) async throws(ClientError) {
    let contact = try await contactsClient.contacts().first {
      names.contains($0.name) && $0.link == nil
    }
    switch (contact, responder) {
    case (let contact?, let responder?): _ = try await contactsClient.update(contact, responder)
    case (let contact?, nil): try await contactsClient.delete(contact.id)
    case (nil, let responder?): _ = try await contactsClient.add(responder)
    case (nil, nil): break
    }
  }

  private static func validation(
    _ kind: Channel.Kind, _ topic: NtfyTopic?
  ) -> Form<Field>.Validation {
    { (form: Form<Field>, field: Field) throws(ValidationError) in
      try validate(form, field, kind, form.hasResponder(besides: topic))
    }
  }

  private static func validate(
    _ form: Form<Field>, _ field: Field, _ kind: Channel.Kind, _ hasResponder: Bool
  ) throws(ValidationError) {
    let text = form[field].text
    switch field {
    case .name: _ = try ProfileRules.name(text)
    case .phone: _ = try ProfileRules.phone(text)
    case .address: _ = try ProfileRules.address(text)
    case .note: _ = try ProfileRules.note(text)
    case .interval: _ = try CheckInInterval(parsing: text)
    case .reminder:
      // With an invalid interval, check against the default, so that one mistake gives one error.
      let interval = (try? CheckInInterval(parsing: form[.interval].text)) ?? .standard
      _ = try EscalationRules.reminders(parsing: text, interval: interval)
    case .email: if !text.trimmingWhitespace().isEmpty { _ = try ProfileRules.email(text) }
    case .responderName: if hasResponder { _ = try ProfileRules.name(text) }
    case .responderKind: break
    case .responderAddress: if hasResponder { _ = try kind.checkedAddress(text) }
    }
  }
}

extension Form<OnboardingFeature.Field> {
  /// Whether anything was typed for a first responder, apart from the suggested topic.
  func hasResponder(besides topic: NtfyTopic?) -> Bool {
    let address = self[.responderAddress].text.trimmingWhitespace()
    return !self[.responderName].text.trimmingWhitespace().isEmpty
      || !(address.isEmpty || address == topic?.name)
  }
}

extension EscalationRules {
  /// Parses lead times such as `2h, 30m`. An empty text means none (REM-1).
  static func reminders(
    parsing text: String, interval: CheckInInterval
  ) throws(ValidationError) -> [TimeSpan] {
    var leads: [TimeSpan] = []
    for part in text.split(separator: ",") {
      leads.append(try TimeSpan(parsing: String(part)))
    }
    return try reminders(leads, interval: interval)
  }
}
