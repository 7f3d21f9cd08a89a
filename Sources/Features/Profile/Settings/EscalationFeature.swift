import Clients
import Composable
import Domain
import Terminal

/// The form for reminders before a deadline, the grace time after it, and the interval at which
/// messages to responders are repeated (REM-1, ESC-1, ESC-2).
struct EscalationFeature: FormFeature {
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

  struct State: FormState {
    /// The account when the form opened.
    let original: User
    var form: Form<Field>

    init(user: User) {
      original = user
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
        ], toggles: toggles, suggestions: [.other, .grace, .repeats])
      // What comes before the interval began is no choice.
      form.show(
        Field.allCases.filter {
          $0.lead.map { $0 < user.reminderLimit.span || user.reminders.contains($0) } ?? true
        })
    }

    func validate(_ field: Field) throws(ValidationError) {
      switch field {
      case .twoHours, .halfHour, .tenMinutes: break
      // Errors in any lead time show under the typed ones.
      case .other: _ = try reminders()
      case .grace: _ = try grace()
      case .repeats: _ = try repeatInterval()
      }
    }

    /// All lead times, both switched on and typed.
    func reminders() throws(ValidationError) -> [TimeSpan] {
      var leads = Field.allCases.filter { form.isOn($0) }.compactMap(\.lead)
      for text in form[.other].text.split(separator: ",", omittingEmptySubsequences: true)
      where !text.trimmingWhitespace().isEmpty {
        leads.append(try TimeSpan(parsing: text.trimmingWhitespace()))
      }
      return try EscalationRules.reminders(leads, interval: original.reminderLimit)
    }

    func grace() throws(ValidationError) -> TimeSpan {
      try EscalationRules.grace(TimeSpan(parsing: form[.grace].text))
    }

    func repeatInterval() throws(ValidationError) -> TimeSpan {
      try EscalationRules.repeatInterval(TimeSpan(parsing: form[.repeats].text))
    }
  }

  typealias Saved = User
  typealias Failure = ClientError

  @Dependency(\.userClient) var userClient

  func save(_ state: State) -> Effect<Action> {
    guard let reminders = try? state.reminders(), let grace = try? state.grace(),
      let repeatInterval = try? state.repeatInterval()
    else { return .none }
    return Self.request { [original = state.original] () throws(ClientError) in
      // Values not changed here may have been changed by another process.
      let current = try await userClient.currentUser()
      let added = reminders.filter { !original.reminders.contains($0) }
      let kept = current.reminders.filter {
        !added.contains($0) && (!original.reminders.contains($0) || reminders.contains($0))
      }
      return try await userClient.updateEscalation(
        (added + kept).sorted(by: >), grace == original.grace ? current.grace : grace,
        repeatInterval == original.repeatInterval ? current.repeatInterval : repeatInterval)
    }
  }
}

struct EscalationView: View {
  let store: StoreOf<EscalationFeature>

  var body: some View {
    FormSheet(
      "Reminders and grace", width: 64, form: store.form, send: { store.send(.form($0)) }
    ) { fields in
      let offered = store.form.shown
      if offered.contains(.twoHours) {
        fields.toggle(.twoHours, "Remind me", "2h before the deadline")
      }
      fields.toggle(
        .halfHour, offered.contains(.twoHours) ? "" : "Remind me", "30m before the deadline")
      fields.toggle(.tenMinutes, "", "10m before")
      fields.text(.other, "and also", "4h, 45m; optional")
      fields.text(.grace, "Grace", "15m; 0m notifies responders at the deadline")
      fields.text(.repeats, "Repeats", "1h; until a responder answers, or for 48h")
      Text("Responders are notified when the grace time after a missed deadline ends.")
        .foreground(.dim)
    }
  }
}

extension EscalationFeature: SheetFeature {
  static let element = pathElement { EscalationFeature() }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let user) = action { .saved(user, text: "Reminders saved.") } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    EscalationView(store: store)
  }
}

extension EscalationFeature.State: SheetState {}
