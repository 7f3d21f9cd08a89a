import Clients
import Composable
import Domain
import Terminal

/// The form for name, phone, address, reminder address and emergency note.
struct EditProfileFeature: FormFeature {
  enum Field: FormKey { case name, phone, address, email, note, access }

  struct State: FormState {
    /// The profile when the form opened.
    let original: Profile
    var form: Form<Field>

    init(profile: Profile) {
      original = profile
      form = Form([
        .name: TextInput(profile.name, limit: 200),
        .phone: TextInput(profile.phone ?? "", limit: 200),
        .address: TextInput(profile.address ?? "", limit: 200, isMultiline: true),
        .email: TextInput(profile.email ?? "", limit: 300),
        .note: TextInput(profile.note, limit: 2_000, isMultiline: true),
        .access: TextInput(profile.access ?? "", limit: 500, isMultiline: true),
      ])
    }

    func validate(_ field: Field) throws(ValidationError) {
      let text = form[field].text
      switch field {
      case .name: _ = try ProfileRules.name(text)
      case .phone: _ = try ProfileRules.phone(text)
      case .email: if !text.trimmingWhitespace().isEmpty { _ = try ProfileRules.email(text) }
      case .note: _ = try ProfileRules.note(text)
      case .address: _ = try ProfileRules.address(text)
      case .access: _ = try ProfileRules.access(text)
      }
    }

    func doubt(about field: Field) -> String? {
      field == .email ? ChannelDraft(.email, form[.email].text).doubt : nil
    }
  }

  typealias Saved = User
  typealias Failure = ClientError

  @Dependency(\.userClient) var userClient

  func save(_ state: State) -> Effect<Action> {
    let form = state.form
    guard
      let profile = try? Profile(
        validating: form[.name].text, phone: form[.phone].text, note: form[.note].text,
        email: form[.email].text, address: form[.address].text, access: form[.access].text)
    else { return .none }
    return Self.request { [original = state.original] () throws(ClientError) in
      let current = try await userClient.currentUser().profile
      let change = current.changed(as: profile, from: original)
      let saved = try await userClient.updateProfile(change)
      guard change.isKept(in: saved.profile) else { throw .storage(.network(.operationUnknown)) }
      return saved
    }
  }
}

extension Profile {
  /// Returns whether a saved profile has the address and access that were typed, which an old
  /// server drops.
  fileprivate func isKept(in saved: Profile) -> Bool {
    [(address, saved.address), (access, saved.access)].allSatisfy { typed, kept in
      (typed ?? "").isEmpty || kept != nil
    }
  }

  /// This profile with the fields that were changed from `original`. The others may have been
  /// changed by another process.
  fileprivate func changed(as typed: Profile, from original: Profile) -> Profile {
    var changed = self
    if typed.name != original.name { changed.name = typed.name }
    if typed.phone != original.phone { changed.phone = typed.phone }
    if typed.note != original.note { changed.note = typed.note }
    if typed.email != original.email { changed.email = typed.email }
    // An empty text removes what is stored.
    changed.address = typed.address == original.address ? nil : typed.address ?? ""
    changed.access = typed.access == original.access ? nil : typed.access ?? ""
    return changed
  }
}

struct EditProfileView: View {
  let store: StoreOf<EditProfileFeature>
  var host = AccountHost.thisMachine

  var body: some View {
    FormSheet("Edit profile", width: 72, form: store.form, send: { store.send(.form($0)) }) {
      fields in
      fields.text(.name, "Name")
      fields.text(.phone, "Phone", "+44 20 7183 8750, optional")
      fields.text(.address, "Address", "where help must go, optional", rows: 2)
      fields.text(.email, "E-mail", "for reminders, and to sign in with")
      fields.text(.note, "Emergency note", "what your responders should know", rows: 3)
      fields.text(.access, "How to get in", "key, door code; shown only in an alert", rows: 2)
      if let readers = host.readersText { Text(readers).foreground(.dim) }
    }
  }
}

extension EditProfileFeature: SheetFeature {
  static let element = pathElement { EditProfileFeature() }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let user) = action { .saved(user, text: "Profile saved.") } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    EditProfileView(store: store, host: snapshot.host)
  }
}

extension EditProfileFeature.State: SheetState {}
