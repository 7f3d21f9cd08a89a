import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// Changes name and picture in one step.
struct PictureFeature: Reducer {
  enum Field: FormKey { case name, path, removes }

  struct State: FormState {
    var form: Form<Field>
    /// Whether there is a picture to remove.
    let hasPicture: Bool

    /// The picture as it is now, or `nil` if there is none or it isn't loaded.
    let picture: PixelPicture?

    init(user: User, picture: PixelPicture? = nil) {
      self.picture = picture
      hasPicture = user.picture != nil
      form = Form(
        [.name: TextInput(user.profile.name, limit: 200), .path: TextInput(limit: 1_000)],
        toggles: [.removes: false])
      form.show(hasPicture ? Field.allCases : [.name, .path])
    }

    func validate(_ field: Field) throws(ValidationError) {
      if field == .name { _ = try ProfileRules.name(form[.name].text) }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case saved(User)
    case failed(ErrorText)
  }

  @Dependency(\.fileClient) var fileClient
  @Dependency(\.pictureClient) var pictureClient
  @Dependency(\.userProfileClient) var userProfileClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action): return state.apply(action, save: save)
    case .saved: state.form.saved()
    case .failed(let error): state.form.failed(error)
    }
    return .none
  }

  private func save(_ state: State) -> Effect<Action> {
    let form = state.form
    let (name, path) = (form[.name].text, form[.path].text.trimmingWhitespace())
    let removes = form.isOn(.removes)
    return .request(Action.saved, or: { .failed(.ofFile($0)) }) { () throws(any Error) in
      var change = removes ? PictureChange.remove : .keep
      if !path.isEmpty {
        let data = try await fileClient.contents(fileClient.path(path), DocumentRules.sizeLimit)
        // Reject a picture that can't be decoded.
        _ = try await pictureClient.decode(data)
        change = .set(data)
      }
      return try await userProfileClient.update(name, change)
    }
  }
}

/// The form for name and picture.
struct PictureView: View {
  let store: StoreOf<PictureFeature>
  let picture: PixelPicture?

  var body: some View {
    let fields = FormFields(form: store.form) { store.send(.form($0)) }
    Sheet("Name and picture", width: 72) {
      HStack(alignment: .top, spacing: 1) {
        VStack(alignment: .leading, spacing: 0) {
          fields.text(.name, "Name")
          fields.text(.path, "Picture", "~/me.jpg, a PNG or JPEG file")
          if store.hasPicture { fields.toggle(.removes, "Remove it", "show initials") }
          Text("")
          Text("Your contacts here see both.").foreground(.dim)
          FormOutcome(form: store.form, send: fields.send)
        }
        .frame(maxWidth: .max, alignment: .leading)
        PortraitView(picture: picture, name: store.form[.name].text)
      }
      .padding(.horizontal, 1)
    }
    .formCommands(store.form, send: fields.send)
  }
}

extension PictureFeature: SheetFeature {
  static let element = pathElement { PictureFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .saved: .closing
    default: .none
    }
  }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let user) = action { .saved(user, text: "Name and picture saved.") } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    PictureView(store: store, picture: store.picture)
  }
}

extension PictureFeature.State: SheetState {}
