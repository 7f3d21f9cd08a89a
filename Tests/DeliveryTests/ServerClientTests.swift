import Clients
import DeliveryTesting
import Domain
import FoundationEssentials
import Testing

@testable import Delivery

/// The client of a server, against one that misbehaves.
@Suite(.timeLimit(.minutes(2)))
struct ServerClientTests {
  private let session = Secret("s-hunter2")
  private let credentials = Credentials(email: "ada@example.org", password: Secret("hunter2"))

  private func client(
    _ server: HTTPServer, _ limits: TransferLimits = .init(connect: .seconds(20))
  ) -> ServerClient {
    .http(
      url: server.url + "/", dateClient: DateClient(now: { start }, calendar: .utc),
      limits: limits)
  }

  private func server(_ status: Int, _ body: String) throws -> HTTPServer {
    try HTTPServer { _, _ in .reply(status, body: body) }
  }

  private func json(_ text: String) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
  }

  /// What each operation throws against a server, in the order of the client.
  private func errors(_ client: ServerClient) async -> [ServerClientError?] {
    let new = NewServerFile(name: "a", contentType: "text/plain", data: Data())
    let (session, credentials) = (session, credentials)
    let operations: [() async throws -> Void] = [
      { _ = try await client.registerDevice(Secret("t"), session) },
      {
        _ = try await client.registerUser(
          ServerRegistration(name: "Ada", credentials: credentials))
      },
      { _ = try await client.loginUser(credentials) },
      { _ = try await client.getFiles(session) },
      { _ = try await client.addFile(new, session) },
    ]
    var errors: [ServerClientError?] = []
    for operation in operations {
      do {
        try await operation()
        errors.append(nil)
      } catch { errors.append(error as? ServerClientError) }
    }
    return errors
  }

  @Test("A device is registered by the person who is signed in")
  func device() async throws {
    let server = try server(201, #"{"id":"d-1","more":true}"#)
    let device = try await client(server).registerDevice(Secret("tök/en"), session)
    #expect(device == RegisteredDevice(id: "d-1"))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.path == "/v1/devices")
    #expect(request.headers["authorization"] == "Bearer s-hunter2")
    #expect(request.headers["content-type"] == "application/json")
    #expect(try json(request.body) == ["token": "tök/en"])
  }

  @Test("An account is opened, and signed in to; neither needs a session")
  func account() async throws {
    let user = #"{"id":"u","name":"Ada","email":"ada@example.org"}"#
    let server = try HTTPServer { request, _ in
      .reply(200, body: request.path == "/v1/users" ? user : #"{"token":"t","user":\#(user)}"#)
    }
    let ada = UserData(id: "u", name: "Ada", email: "ada@example.org")
    let client = client(server)
    #expect(
      try await client.registerUser(ServerRegistration(name: "Ada", credentials: credentials))
        == ada)
    #expect(
      try await client.loginUser(credentials) == LoginResponse(session: Secret("t"), user: ada))
    #expect(server.requests.map(\.path) == ["/v1/users", "/v1/sessions"])
    #expect(server.requests.map { $0.headers["authorization"] } == [nil, nil])
    #expect(
      try json(server.requests[0].body)
        == ["name": "Ada", "email": "ada@example.org", "password": "hunter2"])
    #expect(
      try json(server.requests[1].body) == ["email": "ada@example.org", "password": "hunter2"])
  }

  @Test("Files are listed page by page, and added")
  func files() async throws {
    let server = try HTTPServer { request, _ in
      switch request.path {
      case "/v1/files?after=p_2-x":
        .reply(200, body: #"{"files":[],"next":null}"#)
      case "/v1/files" where request.method == "GET":
        .reply(
          200,
          body:
            #"{"files":[{"id":"1","name":"ä.png","content_type":"image/png","size":3}],"next":"p_2-x"}"#
        )
      default:
        .reply(201, body: #"{"id":"2","name":"b","content_type":"text/plain","size":2}"#)
      }
    }
    let client = client(server)
    #expect(
      try await client.getFiles(session)
        == [ServerFile(id: "1", name: "ä.png", contentType: "image/png", size: 3)])
    let new = NewServerFile(name: "b", contentType: "text/plain", data: Data([0, 255]))
    #expect(
      try await client.addFile(new, session)
        == ServerFile(id: "2", name: "b", contentType: "text/plain", size: 2))
    #expect(
      try json(server.requests[2].body)
        == ["name": "b", "content_type": "text/plain", "data": "AP8="])
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer s-hunter2" })
  }

  @Test("A file that is too large is not sent")
  func largeFile() async throws {
    let server = try server(201, "{}")
    let new = NewServerFile(
      name: "b", contentType: "x/y", data: Data(count: DocumentRules.sizeLimit + 1))
    await #expect(throws: ServerClientError.rejected(message: "the file is larger than 10 MB")) {
      try await client(server).addFile(new, session)
    }
    #expect(server.connections == 0)
  }

  @Test(
    "Each status has its error",
    arguments: [
      (403, ServerClientError.unauthorized), (400, .rejected(message: "so it is")),
      (409, .rejected(message: "so it is")),
      (422, .rejected(message: "so it is")), (500, .internalServerError(message: "so it is")),
      (503, .internalServerError(message: "so it is")), (404, .network(.resourceNotFound)),
      (410, .network(.resourceNotFound)), (408, .network(.timeout)),
      (429, .network(.rateLimited(retryAfter: nil))), (301, .network(.unexpectedAnswer(301))),
      (418, .network(.unexpectedAnswer(418))),
    ])
  func status(status: Int, error: ServerClientError) async throws {
    let server = try server(status, #"{"message":"so it is"}"#)
    #expect(await errors(client(server)) == Array(repeating: error, count: 5))
    #expect(server.connections == 5, "nothing is tried twice by itself")
  }

  @Test("401 to a request with a token means that the session is over, and else wrong credentials")
  func expiredToken() async throws {
    let errors = await errors(client(try server(401, "{}")))
    #expect(
      errors == [.tokenExpired, .unauthorized, .unauthorized, .tokenExpired, .tokenExpired])
  }

  @Test(
    "What is wrong with which field is said, and an error with a good status is one",
    arguments: [422, 200])
  func faultInTheBody(status: Int) async throws {
    let server = try server(
      status, #"{"message":"not so","fields":{"name":"too\u001blong","email":"missing"}}"#)
    let error = ServerClientError.rejected(message: "not so; email: missing; name: too long")
    #expect(await errors(client(server)) == Array(repeating: error, count: 5))
  }

  @Test("Redirects are not followed, and no token goes elsewhere")
  func redirect() async throws {
    let elsewhere = try HTTPServer()
    let server = try HTTPServer { [url = elsewhere.url] _, _ in
      .reply(302, headers: ["Location": url])
    }
    await #expect(throws: ServerClientError.network(.unexpectedAnswer(302))) {
      try await client(server).getFiles(session)
    }
    #expect(elsewhere.connections == 0)
  }

  @Test(
    "An answer that cannot be understood is reported",
    arguments: [
      "", "null", "[]", "{}", "{", #"{"id":1}"#, #"{"token":"","user":{}}"#, "<html>",
      #"{"files":[{"id":"1"}]}"#, #"{"files":[],"next":"../users"}"#, #"{"files":[],"next":""}"#,
      #"{"files":[],"next":"a&limit=9"}"#, String(repeating: "[", count: 60_000),
    ])
  func nonsense(body: String) async throws {
    let server = try server(200, body)
    #expect(
      await errors(client(server)) == Array(repeating: ServerClientError.decodingFailed, count: 5)
    )
  }

  @Test("A list without end is given up")
  func endlessList() async throws {
    let server = try server(200, #"{"files":[],"next":"again"}"#)
    await #expect(throws: ServerClientError.decodingFailed) {
      try await client(server).getFiles(session)
    }
    #expect(server.connections == 100)
  }

  @Test("An answer without end is cut off at 64 KiB")
  func endlessAnswer() async throws {
    let server = try HTTPServer { _, _ in .large(200, bytes: 1 << 30) }
    await #expect(throws: ServerClientError.decodingFailed) {
      try await client(server).getFiles(session)
    }
    #expect(server.bytesSent < 1 << 24)
  }

  @Test(
    "A server's words are one printable line",
    arguments: [
      (#"{"message":"a\u001b[31mb\nc\u202e"}"#, "a [31mb c"), (#"{"message":7}"#, ""),
      ("no JSON", ""),
      (
        #"{"message":"\#(String(repeating: "x", count: 999))"}"#,
        String(repeating: "x", count: 200)
      ),
    ])
  func words(body: String, message: String) async throws {
    let server = try server(500, body)
    await #expect(throws: ServerClientError.internalServerError(message: message)) {
      try await client(server).loginUser(credentials)
    }
  }

  @Test("A server that is slow, silent or gone is a network error, in time")
  func silence() async throws {
    let limits = TransferLimits(connect: .seconds(20), total: .milliseconds(500))
    // One that has said 200 has answered, and what it goes on to say is no answer.
    for (answer, error) in [
      (HTTPServer.Answer.silence, ServerClientError.network(.timeout)),
      (.cut, .network(.connectionFailed)), (.dripHeader, .decodingFailed),
      (.drip(200), .decodingFailed), (.endlessHeader, .decodingFailed),
    ] {
      let server = try HTTPServer { _, _ in answer }
      await #expect(throws: error) {
        try await client(server, limits).loginUser(credentials)
      }
    }
    let server = try HTTPServer()
    let gone = client(server)
    server.close()
    await #expect(throws: ServerClientError.network(.connectionFailed)) {
      try await gone.loginUser(credentials)
    }
  }

  @Test(
    "Addresses that would carry a token in the clear or to nobody are refused",
    arguments: ["http://example.org", "ftp://localhost", "https://169.254.169.254", "x"])
  func address(url: String) async {
    let client = ServerClient.http(
      url: url, dateClient: DateClient(now: { start }, calendar: .utc))
    await #expect(throws: ServerClientError.network(.resourceNotFound)) {
      try await client.getFiles(session)
    }
  }

  @Test("No error and no description holds a token or a password")
  func secrecy() async throws {
    let server = try server(500, #"{"message":"no"}"#)
    let evil = Secret("hunter2\r\nX-Evil: 1")
    var told = await errors(client(server)).map { "\($0.map(String.init(describing:)) ?? "")" }
    do { _ = try await client(server).getFiles(evil) } catch { told.append("\(error)") }
    told.append(
      "\(LoginResponse(session: evil, user: UserData(id: "", name: "", email: ""))) \(credentials)")
    #expect(told.count == 7)
    #expect(!told.joined().contains("hunter2"))
    #expect(server.requests.allSatisfy { $0.headers["x-evil"] == nil })
  }
}
