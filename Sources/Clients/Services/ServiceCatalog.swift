public import Composable
public import Domain

/// The messaging services that channels can use (CHN-4): the built-in ones and those from the
/// user's own files, which replace built-in ones of the same name.
public struct ServiceCatalog: Equatable, Sendable {
  /// The services, by title.
  public let services: [Service]
  /// The errors in the user's files, by the name of the service, which is then missing.
  public let faults: [Service.ID: ConfigurationError]

  public init(_ own: [Service] = [], faults: [Service.ID: ConfigurationError] = [:]) {
    let names = Set(own.map(\.id)).union(faults.keys)
    self.faults = faults
    services = (own + Self.builtIn.filter { !names.contains($0.id) })
      .sorted { ($0.title.lowercased(), $0.id) < ($1.title.lowercased(), $1.id) }
  }

  public subscript(id: Service.ID) -> Service? { services.first { $0.id == id } }

  /// Returns the service of a channel's address.
  public func service(of address: String) -> Service? {
    self[address.prefix { $0 != ":" }.description]
  }

  /// Returns the warnings of the services that channels use, each once.
  public func acceptanceWarnings(for channels: [Channel]) -> [String] {
    let used = channels.filter { $0.kind == .service }.compactMap { service(of: $0.address) }
    return Set(used.compactMap(\.acceptanceWarning)).sorted()
  }

  private static let builtIn = files.map { id, bytes in
    // The built-in files are tested, and nothing is read from outside.
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

/// The source of the services.
public struct ServicesClient: ClientInterface {
  /// Returns all services, with the user's files as they are now.
  public var catalog: @Sendable () -> ServiceCatalog = { ServiceCatalog() }

  public init() {}
}

extension DependencyValues {
  public var servicesClient: ServicesClient {
    get { self[ServicesClient.self] }
    set { self[ServicesClient.self] = newValue }
  }
}
