import Clients
import Composable
import Domain
import Terminal

/// The four steps that open an account: name and phone, emergency note, interval and reminders,
/// first responder (ONB-1). A test message to that responder ends it (ONB-4).
struct OnboardingFeature: Reducer {
  enum Step: Int, CaseIterable, Comparable, Sendable {
    case person, note, interval, responder

    static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
  }

  enum Field: FormKey {
    case name, phone, note, interval, reminder, email, responderName, responderKind,
      responderAddress

    var step: Step {
      switch self {
      case .name, .phone: .person
      case .note: .note
      case .interval, .reminder, .email: .interval
      case .responderName, .responderKind, .responderAddress: .responder
      }
    }
  }

  struct State: Equatable, Sendable {
    let calendar: CivilCalendar
    /// What will sign the person in; `nil` for the first account of a store, which needs nothing.
    let credentials: Credentials?
    let host: AccountHost
    /// Who becomes their responder with the account; `nil` for nobody.
    let inviter: String?
    private(set) var step = Step.person
    var form: Form<Field>
    /// How the first responder is notified. By ntfy nothing has to be set up here (ONB-4).
    private(set) var responderKind = Channel.Kind.ntfy
    /// The topic that is suggested for them; `nil` until it is made.
    private(set) var topic: NtfyTopic?
    /// What was typed for the other kinds, should it be one of them after all.
    private var otherAddresses: [Channel.Kind: TextInput] = [:]
    /// The warning about having no responder is open (ONB-1).
    var isConfirmingNoResponder = false
    /// Who watches if this computer is off is asked next (WCH-2).
    var asksForStandby = false
    /// The last step, once the account is there.
    var firstMessage: FirstMessageFeature.State?
    /// The account that is there while its first responder is changed again.
    var created: Created?

    /// An account, and the names that its first responder may have: a change that was not answered may have been
    /// made.
    struct Created: Equatable, Sendable {
      let message: FirstMessageFeature.State
      var names: Set<String>
      var user: User { message.user }
    }

    /// Whether leaving now would lose something typed.
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
          .phone: TextInput(limit: 40),
          .note: TextInput(limit: 2_000, isMultiline: true),
          .interval: TextInput("24h", limit: 40),
          .reminder: TextInput("30m", limit: 40),
          .email: TextInput(credentials?.email ?? "", limit: 300),
          .responderName: TextInput(limit: 200),
          .responderAddress: TextInput(limit: 2_000),
        ], suggestions: [.interval, .reminder])
      show(.person)
    }

    /// The last step of an account that was opened before (ONB-4).
    init(resuming message: FirstMessageFeature.State, calendar: CivilCalendar, host: AccountHost) {
      self.init(calendar: calendar, host: host)
      // What the account has already stands in the steps before, of which Esc shows the last.
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

    /// The first responder as they are stored.
    private mutating func fillResponder(from message: FirstMessageFeature.State) {
      form[.responderName] = TextInput(message.responder, limit: 200)
      choose(message.channel.kind)
      let address = message.channel.address
      form[.responderAddress] = TextInput(
        topic.map { $0.address == address ? $0.name : address } ?? address, limit: 2_000)
    }

    /// The account that was typed so far; `nil` while a field is not yet right.
    var account: NewAccount? {
      guard
        let profile = try? Profile(
          validating: form[.name].text, phone: form[.phone].text, note: form[.note].text,
          email: form[.email].text),
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

    /// Shows a step, with the focus on its first field.
    mutating func show(_ step: Step) {
      self.step = step
      form.show(
        Field.allCases.filter {
          $0.step == step && ($0 != .email || credentials == nil)
            && ($0 != .responderAddress || responderKind != .desktop)
        })
    }

    /// Goes back from the last step. The steps before this one are stored: Profile changes them.
    mutating func changeResponder() {
      guard let message = firstMessage else { return }
      created = Created(message: message, names: [message.responder])
      firstMessage = nil
      // What was typed for a change that was given up is not what is in force.
      fillResponder(from: message)
      show(.responder)
    }

    /// Fills in a topic, which typing replaces.
    mutating func suggest(_ topic: NtfyTopic) {
      self.topic = topic
      guard responderKind == .ntfy, form[.responderAddress].text.isEmpty else { return }
      form[.responderAddress] = TextInput(topic.name, limit: 2_000)
      form.suggestions.insert(.responderAddress)
      if form.focus == .responderAddress { form[.responderAddress].apply(.selectAll) }
    }

    /// An e-mail address that was typed as a topic, which has no `@`, is meant as one.
    fileprivate mutating func recognizeMail() {
      let address = form[.responderAddress]
      guard responderKind == .ntfy, address.text.contains("@") else { return }
      form[.responderAddress] = TextInput(topic?.name ?? "", limit: 2_000)
      choose(.email)
      form[.responderAddress] = address
      form.focus = .responderAddress
    }

    /// Chooses how the first responder is notified.
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

    /// What to ask about a field that is right.
    func doubt(about field: Field) -> String? {
      switch field {
      case .email: ChannelDraft(.email, form[.email].text).doubt
      case .responderAddress where form.hasResponder(besides: topic):
        ChannelDraft(responderKind, form[.responderAddress].text).doubt(
          ofResponderTo: [ChannelDraft(.email, form[.email].text)])
      default: nil
      }
    }

    /// What is right in each field.
    var validation: Form<Field>.Validation {
      OnboardingFeature.validation(responderKind, topic)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    /// Enter: the next field, and after the last one the next step.
    case continueButtonTapped
    case backButtonTapped
    /// Back from the first step, to the credentials that were typed before.
    case left
    case standbyButtonTapped
    case responderKindChosen(Channel.Kind)
    case topicMade(NtfyTopic)
    case noResponderConfirmed
    case noResponderCancelled
    case accountCreated(User)
    case creationFailed(ClientError)
    case firstMessage(FirstMessageFeature.Action)
    /// The account is there, and its first message was sent or put off.
    case finished(User)

    /// Whether it changes what was typed, or leads elsewhere.
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

  /// What there is to choose from, the one that needs nothing first.
  static let kinds: [Channel.Kind] = [.ntfy, .email, .webhook, .desktop]

  var body: some ReducerOf<Self> {
    Reduce { state, action in step(&state, action) }
      .ifLet(\.firstMessage, action: Action.firstMessageCase) { FirstMessageFeature() }
  }

  private func step(_ state: inout State, _ action: Action) -> Effect<Action> {
    // What is being saved is what stands there.
    guard !state.form.isSaving || !action.isEditing else { return .none }
    switch action {
    case .form(.nextField) where state.form.shown.count == 1:
      // In a field of several lines Enter is a new line, so Tab leads on.
      return goOn(&state)

    case .form(let action):
      // A step is neither saved nor closed by itself.
      _ = state.form.apply(action, validate: state.validation)
      if case .edited(.responderAddress, _) = action { state.recognizeMail() }
      let typed = state
      state.form.showDoubts(typed.doubt(about:))

    case .continueButtonTapped: return goOn(&state)

    case .backButtonTapped:
      if let message = state.created?.message {
        // Nothing was changed.
        (state.created, state.firstMessage) = (nil, message)
      } else if let previous = Step(rawValue: state.step.rawValue - 1) {
        state.show(previous)
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
      let open = OpenFirstMessage(responder: responder.name)
      return .merge(
        .send(.firstMessage(.opened)),
        // Without it the step only doesn't come back.
        .run { [storageClient] _ in try? await storageClient.setValue(open, at: .firstMessage) })
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

  /// To the next field if this one is right, from the last one to the next step, and in the end to
  /// the account.
  private func goOn(_ state: inout State) -> Effect<Action> {
    guard state.form.focus == state.form.shown.last else {
      state.form.advance(state.validation)
      // Enter goes past what is chosen already; Tab stops there.
      if state.form.focus == .responderKind, state.responderKind != .desktop {
        state.form.advance(state.validation)
      }
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

  /// Makes a topic to suggest. Where there is none, one can still be typed.
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
      guard let before else { return try await authClient.createAccount(account) }
      let contact = try await contactsClient.contacts().first {
        before.names.contains($0.name) && $0.link == nil
      }
      switch (contact, responder) {
      case (let contact?, let responder?): _ = try await contactsClient.update(contact, responder)
      case (let contact?, nil): try await contactsClient.delete(contact.id)
      case (nil, let responder?): _ = try await contactsClient.add(responder)
      case (nil, nil): break
      }
      return before.user
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
    case .note: _ = try ProfileRules.note(text)
    case .interval: _ = try CheckInInterval(parsing: text)
    case .reminder:
      // Against the interval only where that is right, so that one mistake gives one message.
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
  /// Whether anything was typed of a first responder, besides the topic that was suggested.
  func hasResponder(besides topic: NtfyTopic?) -> Bool {
    let address = self[.responderAddress].text.trimmingWhitespace()
    return !self[.responderName].text.trimmingWhitespace().isEmpty
      || !(address.isEmpty || address == topic?.name)
  }
}

extension EscalationRules {
  /// Lead times such as `2h, 30m`; empty for none (REM-1).
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
