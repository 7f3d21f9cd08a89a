import Clients
import struct Composable.DependencyValues
import Cryptography
import Domain
package import FoundationEssentials
import ServerProtocol
import Store
import Synchronization
package import Web

/// Answers the requests of apps over the routes of ``ServerProtocol``, each for the session whose
/// token it carries.
package final class Server: Sendable {
  let store: ServerStore
  let settings: ServerSettings
  let now: @Sendable () -> Date
  let clock = ContinuousClock()
  let hub = ChangeHub()
  let arrivals: Arrivals
  let limits = RequestLimits()
  let parts = BodyParts()
  let metrics = Metrics()
  let pages: ResponderPages
  private let log: @Sendable (RequestLine) -> Void
  private let hold: @Sendable (ContinuousClock.Instant) async -> Void
  /// The token for reading `/metrics` from elsewhere; `nil` for this machine only.
  let metricsToken: String?
  private let upkeep = Upkeep()
  let readiness: Readiness
  private let watch: WatchClient
  /// The key pair to which devices seal passphrases, once it was read.
  private let sealingKeys = Mutex<SealedBox.Keys?>(nil)

  /// A line of the log, which reveals nothing of the caller or of what was requested.
  package struct RequestLine: Encodable, Sendable {
    package var at: String
    package var operation: String
    package var status: Int
    package var milliseconds: Double
  }

  /// - Parameter hold: Waits until an instant.
  package init(
    _ store: ServerStore, _ settings: ServerSettings, metricsToken: String? = nil,
    now: @escaping @Sendable () -> Date = { Date() },
    log: @escaping @Sendable (RequestLine) -> Void = { _ in },
    hold: @escaping @Sendable (ContinuousClock.Instant) async -> Void = {
      try? await ContinuousClock().sleep(until: $0)
    }
  ) {
    self.store = store
    self.settings = settings
    self.metricsToken = metricsToken
    self.now = now
    self.log = log
    self.hold = hold
    arrivals = Arrivals(limit: store.lanes.count)
    readiness = Readiness(now: now) { try? await store.administration.readiness() }
    let values = DependencyValues {
      store.clients(for: RemoteSession(token: nil, device: "")).install(in: &$0)
    }
    watch = values.watchClient
    pages = ResponderPages(client: values.responseClient, dateClient: values.dateClient)
    store.lanes[0].follow { [hub] accounts, last in hub.notify(accounts, after: last) }
    upkeep.start { [weak self] in await self?.keepUp() }
  }

  /// Ends long waits, checks the monitors and, once an hour, prunes requests. Called every second.
  private func keepUp() async {
    hub.sweep(now: clock.now)
    if hub.count > 0 { await checkMonitors() }
    guard upkeep.isHourly(now()) else { return }
    try? await store.administration.pruneRequests()
    // Other requests come in between.
    for _ in 0..<Self.mostBatches {
      guard (try? await store.administration.pruneHistory()) == true else { break }
    }
  }

  /// The largest number of times in an hour that old rows are deleted.
  private static let mostBatches = 200

  /// Checks the monitors, for the devices that wait; called once a second.
  package func checkMonitors() async {
    guard let status = try? await watch.status() else { return }
    hub.note(watch: status.digest)
  }

  /// The number of devices that wait for changes.
  package var waitingDevices: Int { hub.count }

  /// The names of the headers that are read.
  package static let headers = [
    "Authorization", "Idempotency-Key", "If-None-Match", "LifeSignal-Body", "LifeSignal-Invite",
    "LifeSignal-Device", "LifeSignal-Made", Route.appHeader,
  ]

  // MARK: Requests

  /// Answers a request.
  package func answer(_ request: WebRequest) async -> WebResponse {
    let start = clock.now
    var operation = "none"
    let response = await answer(request, &operation)
    let took = start.duration(to: clock.now)
    let seconds =
      Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    metrics.count(operation, response.status, seconds: seconds)
    log(
      RequestLine(
        at: now().rfc3339, operation: operation, status: response.status,
        milliseconds: (seconds * 10_000).rounded() / 10))
    return response
  }

  private func answer(_ request: WebRequest, _ operation: inout String) async -> WebResponse {
    if let response = await ownPage(request) {
      operation = "page"
      return response
    }
    if request.path == "/v1/changes" {
      return refusal(ServerRefusal(405, "Only GET is possible here."))
    }
    let path = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
    if let number = Self.partNumber(path), request.method == .put {
      operation = "part"
      return await takePart(request, id: path[2], number: number)
    }
    guard let (route, arguments) = Route.find(request.method.route, path) else {
      let methods = Route.methods(of: path).map(\.rawValue)
      guard !methods.isEmpty else { return refusal(.unknownRequest) }
      var response = refusal(ServerRefusal(405, "That isn't possible here."))
      response.headers["Allow"] = methods.joined(separator: ", ")
      return response
    }
    operation = route.label
    // Whatever happens, a person with an old app can check in and call for help.
    if let oldest = settings.minimumApp, !route.isForEveryApp,
      Version.isOlder(request.headers[Route.appHeader] ?? "", than: oldest)
    {
      return refusal(ServerRefusal(426, "This version of LifeSignal is too old for this server."))
    }
    let call: Call
    do {
      call = try Call(request, route, arguments, isPlain: settings.isPlain)
    } catch {
      return refusal(error)
    }
    // How long it takes to mail a code, or not to, would tell who has an account (AUTH-3).
    let end = call.route.name == "AuthClient.sendPasswordReset" ? clock.now + Self.resetTime : nil
    let response = await answer(call, of: request)
    if let end { await hold(end) }
    // An app that doesn't know set times or outings would show another deadline (SCH-3). What it asked to be
    // done is done.
    if request.method == .get,
      Self.newPromises.contains(where: { response.data?.firstRange(of: $0) != nil }),
      Version.isOlder(request.headers[Route.appHeader] ?? "", than: "0.2.0")
    {
      return refusal(
        ServerRefusal(426, "This version of LifeSignal doesn't know set times and outings."))
    }
    return response
  }

  /// How an answer about a person with set times or an outing contains them. Quotation marks within a
  /// text follow a backslash.
  private static let newPromises = [Data(#""schedule":{"#.utf8), Data(#""outing":{"#.utf8)]

  /// How long the answer to a person who asks for a reset code takes, whether there is an account or
  /// not: longer than the work does, and unnoticed by a person.
  static let resetTime = Duration.milliseconds(150)

  private func answer(_ call: Call, of request: WebRequest) async -> WebResponse {
    let owner = call.token.map { SecureToken(text: $0).digest }
    guard owner.map(limits.begin) ?? true else {
      // A device that was held up sends all of its requests at once, and the alert may be the last
      // one.
      guard !call.route.isCallForHelp else { return await perform(call) }
      return refusal(ServerRefusal(429, "Too many requests at once.", retryAfter: 1))
    }
    defer { if let owner { limits.end(owner) } }
    guard call.route.access == .anyone || call.route.access == .signsIn else {
      return await perform(call)
    }
    // Without a session, callers can guess codes and passwords, and cause work without an account.
    if let client = countedClient(call, request), let wait = limits.take(client, now: now()) {
      return refusal(ServerRefusal(429, "Too many tries.", retryAfter: wait))
    }
    guard call.takesHash else { return await perform(call) }
    guard limits.beginHash() else {
      return refusal(ServerRefusal(429, "Too many people are signing in just now.", retryAfter: 2))
    }
    defer { limits.endHash() }
    return await perform(call)
  }

  /// Returns the client whose attempts a request counts among; `nil` for a request that isn't
  /// counted.
  private func countedClient(_ call: Call, _ request: WebRequest) -> String? {
    guard call.route.name != "AuthClient.state", !call.route.isObserved else { return nil }
    if settings.knowsAddresses { return request.client }
    // These reveal whether an address has an account, and who invites: requests with the same
    // invitation share their attempts.
    guard ["AuthClient.checkSignUp", "InvitationClient.offer"].contains(call.route.name) else {
      return nil
    }
    return "check " + SecureToken(text: call.invite ?? "").digest
  }

  /// Finds the caller and an earlier request under the same key, then does what is requested.
  private func perform(_ call: Call) async -> WebResponse {
    await store.onFreeLane { clients in
      // Hashing a password, or reading a large body, would hold up the other requests on the lane.
      let executor = call.takesHash || call.isHeavy ? nil : clients.store.taskExecutor
      return await withTaskExecutorPreference(executor) {
        await perform(call, with: clients)
      }
    }
  }

  private func perform(_ call: Call, with clients: StoreClients) async -> WebResponse {
    let visitor = clients.with(RemoteSession(token: call.token, device: call.device))
    let admission: Store.Admission
    do throws(ClientError) {
      admission = try await visitor.store.admit(call.key, digest: call.digest)
    } catch {
      return refusal(error)
    }
    var response = await response(to: call, admission, with: clients)
    if let user = admission.user {
      response.headers[ServerReference.header] =
        ServerReference(
          time: visitor.store.now(), account: user, hasGate: admission.showsGate,
          era: visitor.store.clockEra, key: await sealingKeys(of: clients)?.publicKey
        ).text
    }
    return response
  }

  private func sealingKeys(of clients: StoreClients) async -> SealedBox.Keys? {
    if let keys = sealingKeys.withLock(\.self) { return keys }
    guard let keys = try? await clients.store.sealingKeys() else { return nil }
    sealingKeys.withLock { $0 = keys }
    return keys
  }

  /// Reads the passphrase of a check-in that was kept, which is sealed for its request alone.
  private func opener(
    for call: Call, in session: RemoteSession, with clients: StoreClients
  ) async -> SecretOpener? {
    guard call.route.keepsCheckIns, let id = call.requestID,
      let keys = await sealingKeys(of: clients)
    else { return nil }
    return SecretOpener { decoder in
      guard let (text, date) = try SealedBox(from: decoder).open(for: id, with: keys) else {
        // As if none was sent: another server's, or another request's.
        throw ClientError.gate(.required)
      }
      // Who holds the device can't make it younger.
      if let date { session.limit(madeBy: date) }
      return text
    }
  }

  private func response(
    to call: Call, _ admission: Store.Admission, with clients: StoreClients
  ) async -> WebResponse {
    if call.route.access.needsSession, admission.account == nil {
      if admission.isDisabled { return refusal(.accountDisabled) }
      return refusal(call.token == nil ? .notAuthenticated : .sessionExpired)
    }
    switch admission.earlier {
    case .answered(let answer):
      metrics.countReplay()
      return success(call, Data(answer.utf8))
    case .begun: return refusal(.requestRepeated)
    case .different:
      return refusal(.otherRequest)
    case nil: break
    }
    guard call.isHeavy, let account = admission.account else {
      return await perform(call, withBodyFor: admission, with: clients)
    }
    guard limits.beginHeavy(account) else {
      return refusal(ServerRefusal(429, "Too much is being read and written.", retryAfter: 1))
    }
    defer { limits.endHeavy(account) }
    guard call.isImport else { return await perform(call, withBodyFor: admission, with: clients) }
    switch limits.takeImport(account, key: call.key, now: now()) {
    case .wait(let wait):
      return refusal(ServerRefusal(429, "You have imported a lot today.", retryAfter: wait))
    case .repeated: return await perform(call, withBodyFor: admission, with: clients)
    case .taken:
      let response = await perform(call, withBodyFor: admission, with: clients)
      // What was refused before any work, as at the gate, costs nothing. What failed can be repeated
      // under its key.
      if [401, 403, 429].contains(response.status) {
        limits.giveBackImport(account)
      }
      return response
    }
  }

  private func perform(
    _ call: Call, withBodyFor admission: Store.Admission, with clients: StoreClients
  ) async -> WebResponse {
    let body: Data
    if let held = call.heldBody {
      guard let whole = parts.body(held.id, parts: held.parts, of: admission.account ?? 0) else {
        return refusal(ServerRefusal(409, "Parts of the body are missing."))
      }
      body = whole
    } else {
      body = call.body
    }
    let response = await perform(call, body, admission, with: clients)
    if let held = call.heldBody, response.status < 500 {
      parts.remove(held.id, of: admission.account ?? 0)
    }
    return response
  }

  private func perform(
    _ call: Call, _ body: Data, _ admission: Store.Admission, with clients: StoreClients
  ) async -> WebResponse {
    let keyed = call.key.map { key in
      // Tokens aren't stored: a person who repeats a sign-in signs in again.
      KeyedRequest(
        admission, id: key, digest: call.digest, lasts: call.lasts,
        answer: { value in
          guard admission.account != nil else { return nil }
          return call.route.answer(of: value).map { String(decoding: $0, as: UTF8.self) }
        })
    }
    let session = RemoteSession(
      token: call.token, device: call.device, network: call.network,
      signUpPolicy: signUpPolicy(call.invite),
      request: keyed, made: call.made?.ofEra(clients.store.clockEra))
    let clients = clients.with(session)
    let values = DependencyValues { clients.install(call.route.client, in: &$0) }
    do {
      var request = ServerRequest(call.route.method, "", query: call.query, body: body)
      request.opener = await opener(for: call, in: session, with: clients)
      let answer = try await call.route.answer(request, call.arguments, by: values)
      if let keyed, admission.account != nil, call.route.access != .signsOut {
        // It is done. If its answer can't be kept, a repeated request learns that it was made
        // before.
        try? await clients.store.finish(
          keyed, String(decoding: answer ?? Data(), as: UTF8.self))
      }
      guard call.route.access == .signsIn, let token = session.heldToken else {
        return success(call, answer)
      }
      return success(call, try Route.grant(Secret(token), answer))
    } catch {
      // A refused request can be repeated.
      if let keyed, !error.isOfRepeat { try? await clients.store.finish(keyed, nil) }
      return refusal(of: error)
    }
  }

  private func signUpPolicy(_ invite: String?) -> SignUpPolicy {
    switch settings.registration {
    case .open: .open(code: invite)
    case .closed: .closed
    case .invite: .invited(code: invite)
    }
  }

  // MARK: Answers

  private func success(_ call: Call, _ body: Data?) -> WebResponse {
    guard let body, !body.isEmpty else {
      return WebResponse(status: 204, data: Data(), type: Self.json)
    }
    guard call.route.method == .get else {
      return WebResponse(status: 200, data: body, type: Self.json)
    }
    let digest = SecureToken(text: String(decoding: body, as: UTF8.self)).digest.prefix(32)
    let etag = "\"\(digest)\""
    if call.ifNoneMatch == etag {
      return WebResponse(status: 304, data: Data(), type: Self.json, headers: ["ETag": etag])
    }
    return WebResponse(status: 200, data: body, type: Self.json, headers: ["ETag": etag])
  }

  static let json = "application/json"

  func refusal(_ error: ClientError) -> WebResponse { refusal(ServerRefusal(error, now: now())) }

  func refusal(_ refusal: ServerRefusal) -> WebResponse {
    var response = WebResponse(status: refusal.status, data: refusal.body, type: Self.json)
    if let wait = refusal.retryAfter { response.headers["Retry-After"] = "\(wait)" }
    if refusal.status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
    return response
  }

  private func refusal(of error: any Error) -> WebResponse {
    switch error {
    case _ where error.isOfRepeat: refusal(.requestRepeated)
    case let error as ClientError: refusal(error)
    case let error as StorageError: refusal(.storage(error))
    case let error as Route.Malformed: refusal(ServerRefusal(400, "The request: \(error.reason)."))
    default: refusal(ServerRefusal(503, "The request was cancelled.", retryAfter: 1))
    }
  }

  // MARK: Parts of bodies

  /// Returns the number in `v1/bodies/ID/NUMBER`; `nil` for another path.
  private static func partNumber(_ path: [String]) -> Int? {
    guard path.count == 4, path[0] == "v1", path[1] == "bodies" else { return nil }
    return Int(path[3]).flatMap { (0...9_999).contains($0) ? $0 : nil }
  }

  private func takePart(_ request: WebRequest, id: String, number: Int) async -> WebResponse {
    let session = RemoteSession(token: Call.token(of: request), device: "")
    do throws(ClientError) {
      guard let account = try await store.clients(for: session).store.admit(nil, digest: "").account
      else { return refusal(.notAuthenticated) }
      guard let id = UUID(uuidString: id) else {
        return refusal(ServerRefusal(400, "A body is named by a UUID."))
      }
      let status = parts.add(request.body, number: number, to: id, of: account, now: now())
      if status == 204 { return WebResponse(status: 204, data: Data(), type: Self.json) }
      return refusal(
        ServerRefusal(status, "This part doesn't fit.", retryAfter: status == 429 ? 10 : nil))
    } catch {
      return refusal(error)
    }
  }
}

extension Error {
  /// Whether another request under the same key is in progress, so that its row isn't ours.
  fileprivate var isOfRepeat: Bool {
    switch self {
    case let error as ClientError: error == .requestRepeated
    case let error as StorageError: error == .unknown("\(ClientError.requestRepeated)")
    default: false
    }
  }
}

extension Route {
  /// The name of the route in the log and the metrics, which doesn't reveal that there are silent
  /// alerts.
  var label: String {
    switch name {
    case "AuthClient.silentAlert": "AuthClient.gateState"
    case "AuthClient.endSilentAlert": "AuthClient.endGateState"
    default: name
    }
  }
}

extension WatchStatus {
  /// A digest that is the same on each server and at any time: it leaves out the last heartbeat.
  fileprivate var digest: String {
    let kinds = failingKinds?.map(\.rawValue).sorted().joined(separator: " ")
    let parts = ["\(monitors)", problem, kinds, fault, notice].map { $0 ?? "-" }
    return String(SecureToken(text: parts.joined(separator: "\n")).digest.prefix(8))
  }
}

extension WebRequest.Method {
  var route: Route.Method {
    switch self {
    case .get: .get
    case .post: .post
    case .put: .put
    case .patch: .patch
    case .delete: .delete
    }
  }
}
