public import Clients
import Domain
import FoundationEssentials

extension ServerClient {
  /// A server by the protocol of `docs/server.md`.
  /// - Parameters:
  ///   - url: What the paths are appended to: https, or http on this machine.
  ///   - dateClient: What a Retry-After that names a date is measured from.
  ///   - certificateAuthority: A file of certificates to trust instead of the system's.
  public static func http(
    url: String, dateClient: DateClient, certificateAuthority: String? = nil,
    limits: TransferLimits = .init()
  ) -> ServerClient {
    let exchange = ServerExchange(
      url: url, dateClient: dateClient,
      settings: .init(certificateAuthority: certificateAuthority, limits: limits))
    return ServerClient {
      $0.registerDevice = {
        (token: Secret<String>, session: Secret<String>) async throws(ServerClientError) in
        let message = DeviceMessage(token: token.value)
        let reply: IdentityMessage = try await exchange.post(
          "/v1/devices", message, session: session)
        return RegisteredDevice(id: reply.id)
      }
      $0.registerUser = { (new: ServerRegistration) async throws(ServerClientError) in
        let message = RegistrationMessage(
          name: new.name, email: new.credentials.email, password: new.credentials.password.value)
        let reply: UserMessage = try await exchange.post("/v1/users", message)
        return reply.user
      }
      $0.loginUser = { (credentials: Credentials) async throws(ServerClientError) in
        let message = LoginMessage(email: credentials.email, password: credentials.password.value)
        let reply: SessionMessage = try await exchange.post("/v1/sessions", message)
        guard !reply.token.isEmpty else { throw .decodingFailed }
        return LoginResponse(session: Secret(reply.token), user: reply.user.user)
      }
      $0.getFiles = { (session: Secret<String>) async throws(ServerClientError) in
        try await exchange.files(session: session)
      }
      $0.addFile = {
        (file: NewServerFile, session: Secret<String>) async throws(ServerClientError) in
        guard file.data.count <= DocumentRules.sizeLimit else {
          throw .rejected(message: "the file is larger than 10 MB")
        }
        let message = NewFileMessage(
          name: file.name, contentType: file.contentType, data: file.data.base64EncodedString())
        let reply: FileMessage = try await exchange.post("/v1/files", message, session: session)
        return reply.file
      }
    }
  }
}

/// Requests to a server, and what their answers mean.
private struct ServerExchange: Sendable {
  /// More pages than this are no list of files.
  private static let pageLimit = 100

  let url: String
  let dateClient: DateClient
  let settings: HTTPTransfer.Settings

  init(url: String, dateClient: DateClient, settings: HTTPTransfer.Settings) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.dateClient = dateClient
    self.settings = settings
  }

  func post<Reply: Decodable>(
    _ path: String, _ message: some Encodable, session: Secret<String>? = nil
  ) async throws(ServerClientError) -> Reply {
    let body: Data
    do { body = try JSONEncoder().encode(message) } catch { throw .rejected(message: "") }
    return try await answer(
      to: HTTPRequest(
        url: url + path, headers: [("Content-Type", "application/json")], body: Array(body)),
      session: session)
  }

  /// All pages of the list.
  func files(session: Secret<String>) async throws(ServerClientError) -> [ServerFile] {
    var files: [ServerFile] = []
    var path = "/v1/files"
    for _ in 0..<Self.pageLimit {
      let page: FilesMessage = try await answer(
        to: HTTPRequest(method: .get, url: url + path), session: session)
      files += page.files.map(\.file)
      guard let next = page.next else { return files }
      // It becomes a part of the next address, and may not change what is asked.
      guard (1...128).contains(next.utf8.count), next.utf8.allSatisfy(Self.isPlain) else {
        throw .decodingFailed
      }
      path = "/v1/files?after=\(next)"
    }
    throw .decodingFailed
  }

  /// Letters, digits, `-` and `_`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private func answer<Reply: Decodable>(
    to request: HTTPRequest, session: Secret<String>?
  ) async throws(ServerClientError) -> Reply {
    var request = request
    request.headers.append((name: "Accept", value: "application/json"))
    if let session {
      request.headers.append((name: "Authorization", value: "Bearer \(session.value)"))
    }
    switch await HTTPTransfer.result(of: request, settings: settings) {
    case .reply(let reply):
      guard (200..<300).contains(reply.status) else {
        throw error(for: reply, hasSession: session != nil)
      }
      guard reply.isWhole else { throw .decodingFailed }
      let decoder = JSONDecoder()
      if let value = try? decoder.decode(Reply.self, from: Data(reply.body)) { return value }
      // Some servers, and proxies before them, send an error with a good status.
      if let fault = try? decoder.decode(FaultMessage.self, from: Data(reply.body)) {
        throw .rejected(message: fault.text)
      }
      throw .decodingFailed
    case .failed(let fault): throw .network(error(for: fault))
    }
  }

  private func error(for reply: HTTPReply, hasSession: Bool) -> ServerClientError {
    let fault = try? JSONDecoder().decode(FaultMessage.self, from: Data(reply.body))
    let message = fault?.text ?? ""
    switch reply.status {
    case 401 where hasSession: return .tokenExpired
    case 401, 403: return .unauthorized
    case 400, 409, 413, 422: return .rejected(message: message)
    case 500...599: return .internalServerError(message: message)
    case let status:
      let failure = HTTPFailure.status(status, retryAfter: reply.retryAfter)
      let error = ErrorTransformer.appError(for: failure, now: dateClient.now())
      return .network(error as? NetworkError ?? .unexpectedAnswer(status))
    }
  }

  private func error(for fault: HTTPFault) -> NetworkError {
    switch fault {
    case .unusable, .refusedAddress: .resourceNotFound
    case .notTrusted: .notTrusted
    case .notSent(let kind), .unanswered(let kind):
      kind.cause == .timedOut ? .timeout : .connectionFailed
    }
  }
}
