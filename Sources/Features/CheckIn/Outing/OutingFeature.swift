import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The form that starts an outing (OUT-1).
struct OutingFeature: FormFeature {
  enum Field: FormKey { case end, text, responders, tells, waits }

  struct State: FormState {
    /// The current snapshot.
    var snapshot: AccountSnapshot
    var form: Form<Field>

    init(snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      form = Form(
        [
          .end: TextInput("", limit: 40),
          .text: TextInput("", limit: ProfileRules.alertMessageLimit, isMultiline: true),
          .responders: TextInput("", limit: 200),
        ], toggles: [.tells: false, .waits: false])
    }

    /// The outing as it would start now; `nil` while its end can't be read.
    var outing: Outing? { try? draft.proposed(at: snapshot.now) }

    /// Whether the deadline falls into the outing, so that it can wait for it (OUT-3).
    var coversDeadline: Bool {
      outing.map { snapshot.user.deadline.date < $0.until } ?? false
    }

    fileprivate var draft: OutingDraft {
      OutingDraft(
        end: form[.end].text, zone: snapshot.calendar.zoneName, text: form[.text].text,
        isAnnounced: form.isOn(.tells), holdsDeadline: form.isOn(.waits))
    }

    func validate(_ field: Field) throws(ValidationError) {
      switch field {
      case .end:
        var draft = draft
        draft.text = ""
        _ = try draft.proposed(at: snapshot.now)
      case .text: _ = try ProfileRules.alertMessage(form[.text].text)
      case .responders, .tells, .waits: break
      }
    }
  }

  typealias Saved = User
  typealias Failure = ClientError

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.dateClient) var dateClient

  func save(_ state: State) -> Effect<Action> {
    let names = state.form[.responders].text
    return Self.request { [draft = state.draft] () throws(ClientError) in
      var draft = draft
      if !names.trimmingWhitespace().isEmpty {
        let contacts = try await contactsClient.contacts()
        do throws(ValidationError) {
          draft.responders = try contacts.responders(named: names).map(\.id)
        } catch { throw .invalid(error) }
      }
      return try await checkInClient.startOuting(draft)
    }
  }

  /// Without the server nobody expects the person back (OUT-5).
  func text(of error: ClientError) -> ErrorText {
    error.text(dateClient).ofOuting("The outing has NOT started")
  }
}

struct OutingView: View {
  let store: StoreOf<OutingFeature>

  var body: some View {
    FormSheet(
      "Go out", width: 72, form: store.form, savingText: "Starting", saveTitle: "Go",
      send: { store.send(.form($0)) }
    ) { fields in
      fields.text(.end, "Back by", "18:00, tomorrow 9:00 or 4h")
      fields.text(.text, "Where, how", "route, company, car, equipment", rows: 3)
      fields.text(.responders, "Who", "every responder, or their names")
      fields.toggle(.tells, "Tell them", "send them a message now, and when you are back")
      fields.toggle(.waits, "Check-in", "let one that is due before then wait until then")
      Text("")
      Text(meaning).foreground(.dim)
    }
  }

  private var deadline: String { describe(store.snapshot.user.deadline.date) }

  private var meaning: String {
    guard let outing = store.state.outing else {
      return "If you don't say that you are back by then, your responders are notified."
    }
    let left = outing.distanceText(at: store.snapshot.now)
    let goesOn =
      !store.state.coversDeadline
      ? ""
      : store.form.isOn(.waits)
        ? " Your responders learn that your check-in waits."
        : " Your check-in is due \(deadline) all the same."
    return "Back in \(left), \(describe(outing.until)). If you don't say so, they are notified"
      + " \(describe(outing.graceEnd)). Only I'm back ends an outing; a check-in doesn't.\(goesOn)"
  }

  private func describe(_ date: Date) -> String {
    store.snapshot.calendar.describe(date, now: store.snapshot.now)
  }
}

extension OutingFeature: SheetFeature {
  static let element = pathElement { OutingFeature() }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let user) = action { .out(user) } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    OutingView(store: store)
  }
}

extension OutingFeature.State: SheetState {
  mutating func show(_ snapshot: AccountSnapshot) { self.snapshot = snapshot }
}
