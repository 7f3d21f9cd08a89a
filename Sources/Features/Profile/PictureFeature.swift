import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The form for name and picture, which change in one step.
struct PictureFeature: Reducer {
  enum Field: FormKey {
    case name, path, removes
  }

  struct State: Equatable, Sendable {
    var form: Form<Field>
    /// Whether there is a picture to remove.
    let hasPicture: Bool

    init(user: User) {
      hasPicture = user.picture != nil
      form = Form(
        [.name: TextInput(user.profile.name, limit: 200), .path: TextInput(limit: 1_000)],
        toggles: [.removes: false])
      form.show(hasPicture ? Field.allCases : [.name, .path])
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
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      switch state.form.apply(action, validate: Self.validate) {
      case .save: return save(state.form)
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }
    case .saved:
      state.form.saved()
      return .none
    case .failed(let error):
      state.form.failed(error)
      return .none
    }
  }

  private func save(_ form: Form<Field>) -> Effect<Action> {
    let (name, path) = (form[.name].text, form[.path].text.trimmingWhitespace())
    let removes = form.isOn(.removes)
    return .run { [fileClient, pictureClient, userProfileClient] send in
      do {
        var change = removes ? PictureChange.remove : .keep
        if !path.isEmpty {
          let data = try await fileClient.contents(
            fileClient.path(path), DocumentRules.sizeLimit)
          // What cannot be shown is not kept.
          _ = try await pictureClient.decode(data)
          change = .set(data)
        }
        await send(.saved(try await userProfileClient.update(name, change)))
      } catch LocalFileError.tooLarge {
        await send(.failed(ValidationError.fileSize.text))
      } catch let error as any AppError {
        await send(.failed(error.text))
      }
    }
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    if field == .name { _ = try ProfileRules.name(form[.name].text) }
  }
}
