import Composable
import Terminal

/// The sheets over the tabs. Each is one file, and one line here.
struct SheetPath: Reducer {
  typealias State = OpenSheet
  typealias Action = SheetAction

  static let features: [any SheetFeature.Type] = [
    IntervalFeature.self, OutingFeature.self, BackFeature.self, LaterFeature.self,
    PauseFeature.self, HistoryFeature.self, StandbyFeature.self,
    UnsentFeature.self,
    ContactDetailsFeature.self, ContactFormFeature.self, RolesFeature.self, WaitFeature.self,
    SharedDocumentsFeature.self, DecliningFeature.self, CodeEntryFeature.self, CodeFeature.self,
    InvitationsFeature.self, ReplyFeature.self, EditProfileFeature.self, PictureFeature.self,
    EscalationFeature.self, SettingsFeature.self, ErrorLogFeature.self, DocumentsFeature.self,
    MailFeature.self, ChannelsFeature.self, ChannelFormFeature.self, ChannelLogFeature.self,
    ChannelTopicsFeature.self, SecurityFeature.self, PasswordFeature.self, GateFormFeature.self,
    SilentAlertFeature.self, DeletionFeature.self,
  ]

  var body: some ReducerOf<Self> {
    for feature in Self.features { reducer(of: feature) }
  }

  private func reducer<Feature: SheetFeature>(
    of _: Feature.Type
  ) -> Reduce<OpenSheet, SheetAction> {
    Feature.element.body
  }
}

extension SheetPath {
  /// The view of a sheet on the path.
  @MainActor static func view(
    _ store: StoreOf<SheetPath>, _ snapshot: AccountSnapshot
  ) -> AnyView {
    func view<Feature: SheetFeature>(_: Feature.Type) -> AnyView {
      AnyView(store.scope(Feature.element).map { Feature.view($0, snapshot) })
    }
    return view(store.feature)
  }
}

extension SheetAction: Codable {
  /// The name of a feature's sheet in recordings and titles of actions: `Interval`.
  static func name(of feature: any SheetFeature.Type) -> String {
    let name = String(describing: feature)
    return name.hasSuffix("Feature") ? String(name.dropLast("Feature".count)) : name
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue _: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    guard let key = container.allKeys.first,
      let feature = SheetPath.features.first(where: { Self.name(of: $0) == key.stringValue })
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "There is no such sheet."))
    }
    func decode<Feature: SheetFeature>(_: Feature.Type) throws -> Self {
      Self(Feature.self, try container.decode(Feature.Action.self, forKey: key))
    }
    self = try decode(feature)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(action, forKey: Name(stringValue: Self.name(of: feature)))
  }
}
