import Clients
import struct Composable.DependencyValues
import Domain
import Foundation
import ServerProtocol
import ServerTesting
import Store
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("Shutting down and reloading a server", .timeLimit(.minutes(2)))
struct EndTests {
  @Test("SIGTERM ends the server with exit code 0 within 5 seconds and answers waiting devices")
  func terminated() async throws {
    let folder = try TemporaryFolder()
    let port = try ServerWorld().port
    let address = "127.0.0.1:\(port)"
    try await RawHTTP.blocking {
      let setUp = try Self.start([
        "init", "--data", folder.path, "--url", "http://" + address, "--listen", address,
        "--registration", "open",
      ])
      setUp.waitUntilExit()
      #expect(setUp.terminationStatus == 0)
    }
    let server = try Self.start(["run", "--data", folder.path])
    defer { server.terminate() }
    let app = RemoteApp(port: port)
    while server.isRunning, (try? await app.raw(ServerRequest(.get, "/healthz"))) == nil {
      await Task.yield()
    }
    _ = try await app.clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada"),
        credentials: Credentials(email: "ada@example.org", password: Secret("a good password"))))
    let known = try ChangeTests.after(await app.raw(ServerRequest(.get, "/v1/changes")))
    async let waiting = app.raw(ServerRequest(.get, "/v1/changes", query: ["after": known]))
    while try await !app.raw(ServerRequest(.get, "/metrics")).text.contains("waiting_devices 1\n") {
      await Task.yield()
    }
    let start = ContinuousClock.now
    kill(server.processIdentifier, SIGTERM)
    #expect(try ChangeTests.after(try await waiting) == known)
    try await RawHTTP.blocking { server.waitUntilExit() }
    #expect(server.terminationReason == .exit && server.terminationStatus == 0)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("SIGHUP reloads the certificate and keeps waiting devices connected")
  func certificateAgain() async throws {
    let folder = try TemporaryFolder()
    let data = folder.path + "/data"
    let address = "127.0.0.1:\(try ServerWorld().port)"
    let server = try await RawHTTP.blocking {
      try Self.makeCertificates(in: folder)
      let setUp = try Self.start([
        "init", "--data", data, "--url", "https://" + address, "--listen", address,
        "--registration", "open", "--tls-cert", folder.path + "/first.pem", "--tls-key",
        folder.path + "/first.key",
      ])
      setUp.waitUntilExit()
      #expect(setUp.terminationStatus == 0)
      return try Self.start(["run", "--data", data])
    }
    defer { server.terminate() }
    let account = try WireCoding.encode(
      NewAccount(
        profile: Profile(name: "Ada"),
        credentials: Credentials(email: "ada@example.org", password: Secret("a good password"))))
    try await RawHTTP.blocking {
      try Self.run(
        "python3",
        [
          "-c", Self.handover, address, folder.path, "\(server.processIdentifier)",
          String(decoding: account, as: UTF8.self),
        ])
      // A second process must not start, since it would get some of the requests.
      let second = try Self.start(["run", "--data", data])
      second.waitUntilExit()
      #expect(second.terminationStatus == 1)
    }
  }

  @Test("A TLS key that doesn't fit its certificate is refused, and init exits with 1")
  func otherKey() async throws {
    let folder = try TemporaryFolder()
    let server = ServerFolder(path: folder.path + "/data")
    try await RawHTTP.blocking { try Self.makeCertificates(in: folder) }
    let (first, second) = (folder.path + "/first", folder.path + "/second")
    var settings = try ServerSettings(
      url: "https://127.0.0.1:1", listen: "127.0.0.1:1", registration: .open, databaseFile: nil)
    settings.tlsCertificate = first + ".pem"
    settings.tlsKey = second + ".key"
    #expect(
      throws: ServerFolder.Fault(
        reason: "The key in \(second).key isn't that of the certificate in \(first).pem.")
    ) { _ = try server.certificate(settings) }
    settings.tlsKey = first + ".key"
    #expect(try server.certificate(settings) != nil)
    let (status, isSetUp) = try await RawHTTP.blocking {
      let setUp = try Self.start([
        "init", "--data", server.path, "--url", "https://127.0.0.1:1", "--listen", "127.0.0.1:1",
        "--tls-cert", first + ".pem", "--tls-key", second + ".key",
      ])
      setUp.waitUntilExit()
      return (setUp.terminationStatus, server.isSetUp)
    }
    #expect(status == 1 && !isSetUp)
  }

  @Test("The check command exits with 1 as soon as the last monitor has ended")
  func endedMonitor() async throws {
    let place = try TemporaryFolder()
    let folder = ServerFolder(path: place.path + "/data")
    let store = try ServerStore.sqlite(in: folder.path)
    try folder.write(ServerSettings(url: "http://127.0.0.1:1", host: "127.0.0.1", port: 1))
    var values = DependencyValues()
    store.clients(for: RemoteSession(token: nil, device: "")).install(in: &values)
    func check() async throws -> Int32 {
      try await RawHTTP.blocking {
        let check = try Self.start(["check", "--data", folder.path])
        check.waitUntilExit()
        return check.terminationStatus
      }
    }
    #expect(try await check() == 1)
    let monitor = UUID()
    _ = try await values.monitorClient.heartbeat(monitor, { Date() }, .seconds(30), nil)
    #expect(try await check() == 0)
    try await values.monitorClient.resign(monitor)
    let ready = try await store.administration.readiness()
    #expect(ready.isWatched && ready.monitors == 0)
    #expect(try await check() == 1)
  }

  private static func makeCertificates(in folder: TemporaryFolder) throws {
    for name in ["first", "second"] {
      try run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-keyout", "\(folder.path)/\(name).key", "-out", "\(folder.path)/\(name).pem",
          "-days", "2", "-subj", "/CN=\(name)",
        ])
    }
  }

  /// A device waits, the certificate is replaced, and a check-in with the new certificate reaches
  /// the device that connected with the old one.
  private static let handover = """
    import json, os, signal, socket, ssl, sys, time, uuid
    (host, port), folder, pid, account = sys.argv[1].split(':'), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    context = ssl._create_unverified_context()
    def connect():
        for _ in range(400):
            try: return context.wrap_socket(socket.create_connection((host, int(port)), 20))
            except OSError: time.sleep(0.02)
        sys.exit('nobody listens')
    def send(connection, method, path, body='', token=None):
        lines = [f'{method} {path} HTTP/1.1', 'Host: a', f'Content-Length: {len(body.encode())}']
        if token: lines.append(f'Authorization: Bearer {token}')
        if method != 'GET': lines.append(f'Idempotency-Key: {uuid.uuid4()}')
        connection.sendall('\\r\\n'.join(lines + ['', body]).encode())
    def receive(connection):
        file = connection.makefile('rb')
        status, length = file.readline().split()[1], 0
        while line := file.readline().strip():
            if line.lower().startswith(b'content-length:'): length = int(line.split(b':')[1])
        body = file.read(length)
        if status != b'200': sys.exit(f'{status} {body}')
        return body
    def ask(*request):
        connection = connect()
        send(connection, *request)
        return receive(connection)
    token = json.loads(ask('POST', '/v1/users', account))['token']
    known = json.loads(ask('GET', '/v1/changes', '', token))['after']
    waiting = connect()
    first = waiting.getpeercert(True)
    send(waiting, 'GET', '/v1/changes?after=' + known, '', token)
    while b'waiting_devices 1\\n' not in ask('GET', '/metrics'): pass
    for kind in 'pem', 'key':
        os.replace(f'{folder}/second.{kind}', f'{folder}/first.{kind}')
    os.kill(pid, signal.SIGHUP)
    for _ in range(400):
        if connect().getpeercert(True) != first: break
        time.sleep(0.02)
    else: sys.exit('the certificate is the old one')
    ask('POST', '/v1/check-ins', '{"source":"manual"}', token)
    if json.loads(receive(waiting))['after'] == known: sys.exit('the device heard of nothing')
    """

  private static func run(_ program: String, _ arguments: [String]) throws {
    let process = Foundation.Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let complaint = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = complaint
    try process.run()
    let text = String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(program): \(text)")
  }

  private static func start(_ arguments: [String]) throws -> Process {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var folder = URL(filePath: tests).deletingLastPathComponent()
    let process = Process()
    while folder.pathComponents.count > 1 {
      let program = folder.appending(path: "lifesignal-server")
      if FileManager.default.isExecutableFile(atPath: program.path) {
        process.executableURL = program
      }
      folder.deleteLastPathComponent()
    }
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
