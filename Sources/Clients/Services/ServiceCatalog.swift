public import Composable

/// The messaging services that channels may use (CHN-4): those that come with the program, and those of the
/// user's own files, which take the place of the former of the same name.
public struct ServiceCatalog: Equatable, Sendable {
  /// In the order of their titles.
  public let services: [Service]
  /// What is wrong with a file of the user's, by the name of its service, which is not there then.
  public let faults: [Service.ID: ConfigurationError]

  public init(_ own: [Service] = [], faults: [Service.ID: ConfigurationError] = [:]) {
    let names = Set(own.map(\.id)).union(faults.keys)
    self.faults = faults
    services = (own + Self.builtIn.filter { !names.contains($0.id) })
      .sorted { ($0.title.lowercased(), $0.id) < ($1.title.lowercased(), $1.id) }
  }

  public subscript(id: Service.ID) -> Service? { services.first { $0.id == id } }

  /// The service of a channel's address.
  public func service(of address: String) -> Service? {
    self[address.prefix { $0 != ":" }.description]
  }

  private static let builtIn = files.map { id, bytes in
    // They are tested, and read nothing from outside.
    try! Service(id: id, json5: bytes)
  }

  static let files: [(id: String, bytes: [UInt8])] = [
    ("apprise", PackageResources.apprise_json5), ("discord", PackageResources.discord_json5),
    ("gateway", PackageResources.gateway_json5), ("gotify", PackageResources.gotify_json5),
    ("matrix", PackageResources.matrix_json5), ("mattermost", PackageResources.mattermost_json5),
    ("pushover", PackageResources.pushover_json5), ("signal", PackageResources.signal_json5),
    ("slack", PackageResources.slack_json5), ("teams", PackageResources.teams_json5),
    ("telegram", PackageResources.telegram_json5), ("twilio", PackageResources.twilio_json5),
  ]
}

/// Where the services come from.
public struct ServicesClient: ClientInterface {
  /// All services, with the user's files as they are now.
  public var catalog: @Sendable () -> ServiceCatalog = { ServiceCatalog() }

  public init() {}
}

extension DependencyValues {
  public var servicesClient: ServicesClient {
    get { self[ServicesClient.self] }
    set { self[ServicesClient.self] = newValue }
  }
}
