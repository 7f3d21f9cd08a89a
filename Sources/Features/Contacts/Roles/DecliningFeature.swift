import Clients
import Composable
import Domain
import Terminal

/// Records that a contact declines, which the person confirms with the code that the contact sent
/// back (CON-3).
struct DecliningFeature: FormFeature {
  enum Field: FormKey { case code }

  struct State: FormState {
    let name: String
    var form = Form<Field>([.code: TextInput(limit: 40)])

    func validate(_: Field) throws(ValidationError) {}
  }

  typealias Saved = Contact
  typealias Failure = ClientError

  @Dependency(\.contactsClient) var contactsClient

  func save(_ state: State) -> Effect<Action> {
    let code = state.form[.code].secret
    return Self.request { () throws(ClientError) in try await contactsClient.declineByCode(code) }
  }
}

struct DecliningView: View {
  let store: StoreOf<DecliningFeature>

  var body: some View {
    FormSheet(
      "\(store.name) declines", width: 64, form: store.form, send: { store.send(.form($0)) }
    ) { fields in
      Text("They got a code when you named them. With it, they get no more messages.")
      Text("")
      fields.text(.code, "Their code", "7K3QF-9ZD2M")
    }
  }
}

extension DecliningFeature: SheetFeature {
  static let element = pathElement { DecliningFeature() }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    DecliningView(store: store)
  }
}

extension DecliningFeature.State: SheetState {}
