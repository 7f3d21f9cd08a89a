import Clients
import Composable
import Domain
import Terminal

/// Enters a code that a contact sent back. It says that they are responding to the alert or don't
/// want to be a contact (ESC-2, CON-3).
struct ReplyFeature: FormFeature {
  enum Field: FormKey { case code }

  struct State: FormState {
    var form = Form<Field>([.code: TextInput(limit: 64)])

    /// Rejects implausible codes here, since the store counts wrong ones (AUTH-3).
    func validate(_ field: Field) throws(ValidationError) {
      guard ResponseCode.isPlausible(form[field].text) else { throw .responseCode }
    }
  }

  typealias Saved = Response
  typealias Failure = ClientError

  @Dependency(\.responseClient) var responseClient

  func save(_ state: State) -> Effect<Action> {
    let code = state.form[.code].text
    return Self.request { () throws(ClientError) in try await responseClient.respond(code) }
  }
}

struct ReplyView: View {
  let store: StoreOf<ReplyFeature>

  var body: some View {
    FormSheet(
      "Somebody answered", width: 68, form: store.form, savingText: "Looking for it",
      send: { store.send(.form($0)) }
    ) { fields in
      Text("Every message has a code for its responder. Type the one they gave you.")
      Text("")
      fields.text(.code, "Their code", "7K3QF-9ZD2M")
      Text("")
      Text("The code from an alert says that they are responding.").foreground(.dim)
      Text("The code from their first message says that they want none.").foreground(.dim)
    }
  }
}

extension ReplyFeature: SheetFeature {
  static let element = pathElement { ReplyFeature() }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let response) = action { .replied(response) } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    ReplyView(store: store)
  }
}

extension ReplyFeature.State: SheetState {}
