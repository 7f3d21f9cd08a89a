public import Clients
public import Composable
public import Domain
public import Terminal

/// The four steps that open an account: name and phone, emergency note, interval and reminders,
/// first responder (ONB-1).
public struct OnboardingFeature: Reducer {
  public enum Step: Int, CaseIterable, Comparable, Sendable {
    case person, note, interval, responder

    public static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
  }

  public enum Field: Int, CaseIterable, Codable, Equatable, Sendable {
    case name, phone, note, interval, reminder, email, responderName, responderEmail

    public var step: Step {
      switch self {
      case .name, .phone: .person
      case .note: .note
      case .interval, .reminder, .email: .interval
      case .responderName, .responderEmail: .responder
      }
    }
  }

  public struct State: Equatable, Sendable {
    public let calendar: CivilCalendar
    public var step = Step.person
    public var focus = Field.name
    public var name = TextInput(limit: 200)
    public var phone = TextInput(limit: 40)
    public var note = TextInput(limit: 2_000, isMultiline: true)
    public var interval = TextInput("24h", limit: 40)
    public var reminder = TextInput("30m", limit: 40)
    public var email = TextInput(limit: 300)
    public var responderName = TextInput(limit: 200)
    public var responderEmail = TextInput(limit: 300)
    public var errors: [Field: ValidationError] = [:]
    /// The warning about having no responder is open (ONB-1).
    public var isConfirmingNoResponder = false
    public var isSaving = false
    public var failure: ErrorText?

    public init(calendar: CivilCalendar) { self.calendar = calendar }

    public subscript(field: Field) -> TextInput {
      get {
        switch field {
        case .name: name
        case .phone: phone
        case .note: note
        case .interval: interval
        case .reminder: reminder
        case .email: email
        case .responderName: responderName
        case .responderEmail: responderEmail
        }
      }
      set {
        switch field {
        case .name: name = newValue
        case .phone: phone = newValue
        case .note: note = newValue
        case .interval: interval = newValue
        case .reminder: reminder = newValue
        case .email: email = newValue
        case .responderName: responderName = newValue
        case .responderEmail: responderEmail = newValue
        }
      }
    }

    /// The fields of the step on screen.
    public var fields: [Field] { Field.allCases.filter { $0.step == step } }

    public var hasResponder: Bool {
      !responderName.text.trimmingWhitespace().isEmpty
        || !responderEmail.text.trimmingWhitespace().isEmpty
    }

    var hasTypedSomething: Bool {
      ![name, phone, note, email, responderName, responderEmail].allSatisfy(\.isEmpty)
    }

    /// The account that was typed so far; `nil` while a field is not yet right.
    public var account: NewAccount? {
      guard
        let profile = try? Profile(
          validating: name.text, phone: phone.text, note: note.text, email: email.text),
        let interval = try? CheckInInterval(parsing: interval.text),
        let reminders = try? Self.reminders(reminder.text, interval: interval)
      else { return nil }
      var responders: [ContactDraft] = []
      if hasResponder {
        guard
          let draft = try? ContactDraft(
            validating: responderName.text, email: responderEmail.text, roles: .responder)
        else { return nil }
        responders = [draft]
      }
      return NewAccount(
        profile: profile, interval: interval, reminders: reminders, responders: responders)
    }

    /// Lead times such as `2h, 30m`; empty for none (REM-1).
    static func reminders(
      _ text: String, interval: CheckInInterval
    ) throws(ValidationError) -> [TimeSpan] {
      var leads: [TimeSpan] = []
      for part in text.split(separator: ",") {
        leads.append(try TimeSpan(parsing: String(part)))
      }
      return try EscalationRules.reminders(leads, interval: interval)
    }

    /// Notes what is wrong with a field, or that nothing is.
    mutating func validate(_ field: Field) {
      errors[field] = nil
      do throws(ValidationError) {
        let text = self[field].text
        switch field {
        case .name: _ = try ProfileRules.name(text)
        case .phone: _ = try ProfileRules.phone(text)
        case .note: _ = try ProfileRules.note(text)
        case .interval: _ = try CheckInInterval(parsing: text)
        case .reminder:
          // Against the interval only where that is right, so that one mistake gives one message.
          let interval = (try? CheckInInterval(parsing: interval.text)) ?? .standard
          _ = try Self.reminders(text, interval: interval)
        case .email:
          if !text.trimmingWhitespace().isEmpty { _ = try ProfileRules.email(text) }
        case .responderName: if hasResponder { _ = try ProfileRules.name(text) }
        case .responderEmail: if hasResponder { _ = try ProfileRules.email(text) }
        }
      } catch {
        errors[field] = error
      }
    }

    /// Checks the fields of the step and puts the focus on the first that is wrong.
    mutating func validateStep() -> Bool {
      for field in fields { validate(field) }
      guard let wrong = fields.first(where: { errors[$0] != nil }) else { return true }
      focus = wrong
      return false
    }

    mutating func show(_ step: Step) {
      self.step = step
      moveFocus(to: fields[0])
    }

    /// Puts the focus on a field; typing replaces what was only a suggestion.
    mutating func moveFocus(to field: Field) {
      focus = field
      if field == .interval || field == .reminder { self[field].apply(.selectAll) }
    }
  }

  public enum Action: Codable, Equatable, Sendable {
    case edited(Field, TextEdit)
    case focused(Field)
    case nextField
    case previousField
    /// Enter: the next field, and after the last one the next step.
    case continueButtonTapped
    case backButtonTapped
    case noResponderConfirmed
    case noResponderCancelled
    case accountCreated(User)
    case creationFailed(AuthError)
  }

  @Dependency(\.authClient) var authClient

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let field, let edit):
      state[field].apply(edit)
      state.errors[field] = nil
      return .none

    case .focused(let field):
      guard field.step == state.step else { return .none }
      state.validate(state.focus)
      state.moveFocus(to: field)
      return .none

    case .nextField where state.fields.count == 1:
      // In a field of several lines Enter is a new line, so Tab leads on.
      return reduce(into: &state, action: .continueButtonTapped)

    case .nextField, .previousField:
      state.validate(state.focus)
      let fields = state.fields
      let index = fields.firstIndex(of: state.focus)! + (action == .nextField ? 1 : -1)
      state.moveFocus(to: fields[(index + fields.count) % fields.count])
      return .none

    case .continueButtonTapped:
      if state.focus != state.fields.last {
        state.validate(state.focus)
        guard state.errors[state.focus] == nil else { return .none }
        state.moveFocus(to: state.fields[state.fields.firstIndex(of: state.focus)! + 1])
        return .none
      }
      guard state.validateStep() else { return .none }
      if let next = Step(rawValue: state.step.rawValue + 1) {
        state.show(next)
        return .none
      }
      guard state.hasResponder else {
        state.isConfirmingNoResponder = true
        return .none
      }
      return create(&state)

    case .backButtonTapped:
      if let previous = Step(rawValue: state.step.rawValue - 1) { state.show(previous) }
      return .none

    case .noResponderConfirmed:
      state.isConfirmingNoResponder = false
      return create(&state)

    case .noResponderCancelled:
      state.isConfirmingNoResponder = false
      return .none

    case .accountCreated:
      state.isSaving = false
      return .none

    case .creationFailed(let error):
      state.isSaving = false
      state.failure = error.text
      return .none
    }
  }

  private func create(_ state: inout State) -> Effect<Action> {
    guard !state.isSaving, let account = state.account else { return .none }
    state.isSaving = true
    state.failure = nil
    return .run { [authClient] send in
      do throws(AuthError) {
        await send(.accountCreated(try await authClient.createAccount(account)))
      } catch {
        await send(.creationFailed(error))
      }
    }
  }
}
