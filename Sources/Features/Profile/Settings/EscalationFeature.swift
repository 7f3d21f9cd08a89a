import Clients
import Composable
import Domain
import Terminal

/// The form for when the person is reminded before a deadline, how long after it the responders are
/// told, and how often again (REM-1, ESC-1, ESC-2).
struct EscalationFeature: Reducer {
  enum Field: FormKey {
    case twoHours, halfHour, tenMinutes, other, grace, repeats

    /// The lead time that a switch stands for.
    var lead: TimeSpan? {
      switch self {
      case .twoHours: .hours(2)
      case .halfHour: .minutes(30)
      case .tenMinutes: .minutes(10)
      case .other, .grace, .repeats: nil
      }
    }
  }

  struct State: Equatable, Sendable {
    let interval: CheckInInterval
    var form: Form<Field>

    init(user: User) {
      interval = user.interval
      let common = Field.allCases.compactMap(\.lead)
      let other = user.reminders.filter { !common.contains($0) }
      var toggles: [Field: Bool] = [:]
      for field in Field.allCases {
        if let lead = field.lead { toggles[field] = user.reminders.contains(lead) }
      }
      form = Form(
        [
          .other: TextInput(other.map(\.exactDescription).joined(separator: ", "), limit: 200),
          .grace: TextInput(user.grace.exactDescription, limit: 40),
          .repeats: TextInput(user.repeatInterval.exactDescription, limit: 40),
        ], toggles: toggles)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case saved(User)
    case saveFailed(UserError)
  }

  @Dependency(\.userClient) var userClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      let interval = state.interval
      let request = state.form.apply(action) { form, field throws(ValidationError) in
        try Self.validate(form, field, interval: interval)
      }
      switch request {
      case .save: return save(state)
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }

    case .saved:
      state.form.saved()
      return .none

    case .saveFailed(let error):
      state.form.failed(error.text)
      return .none
    }
  }

  private func save(_ state: State) -> Effect<Action> {
    guard let reminders = try? Self.reminders(state.form, interval: state.interval),
      let grace = try? Self.grace(state.form),
      let repeatInterval = try? Self.repeatInterval(state.form)
    else { return .none }
    return .run { [userClient] send in
      do throws(UserError) {
        let user = try await userClient.updateEscalation(reminders, grace, repeatInterval)
        await send(.saved(user))
      } catch {
        await send(.saveFailed(error))
      }
    }
  }

  /// All lead times that were chosen and typed.
  static func reminders(
    _ form: Form<Field>, interval: CheckInInterval
  ) throws(ValidationError) -> [TimeSpan] {
    var leads = Field.allCases.filter { form.isOn($0) }.compactMap(\.lead)
    for text in form[.other].text.split(separator: ",", omittingEmptySubsequences: true)
    where !text.trimmingWhitespace().isEmpty {
      leads.append(try TimeSpan(parsing: text.trimmingWhitespace()))
    }
    return try EscalationRules.reminders(leads, interval: interval)
  }

  static func grace(_ form: Form<Field>) throws(ValidationError) -> TimeSpan {
    try EscalationRules.grace(TimeSpan(parsing: form[.grace].text))
  }

  static func repeatInterval(_ form: Form<Field>) throws(ValidationError) -> TimeSpan {
    try EscalationRules.repeatInterval(TimeSpan(parsing: form[.repeats].text))
  }

  /// What is wrong with the lead times is said under those that are typed.
  static func validate(
    _ form: Form<Field>, _ field: Field, interval: CheckInInterval
  ) throws(ValidationError) {
    switch field {
    case .twoHours, .halfHour, .tenMinutes: break
    case .other: _ = try reminders(form, interval: interval)
    case .grace: _ = try grace(form)
    case .repeats: _ = try repeatInterval(form)
    }
  }
}
