import Foundation
import TestSupport

/// A mail or web server with TLS, written in Python, with a self-signed certificate for 127.0.0.1.
final class TLSServer: Sendable {
  enum Mode: String { case starttls, tls, https }

  let port: Int
  /// The path of the self-signed certificate.
  let certificate: String
  private let folder: TemporaryFolder
  private let process: Process
  private let output: FileHandle

  /// Why these tests can't run here, or `nil`.
  static let obstacle: String? = {
    if !run("python3", ["-c", "0"]) { return "python3 is missing" }
    if !run("openssl", ["version"]) { return "openssl is missing" }
    return nil
  }()

  init(_ mode: Mode) throws {
    folder = try TemporaryFolder()
    certificate = folder.path + "/certificate.pem"
    let key = folder.path + "/key.pem"
    let made = Self.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=test",
        "-addext", "subjectAltName=IP:127.0.0.1",
      ])
    guard made else { throw POSIXError(.EIO) }
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-c", Self.program, mode.rawValue, certificate, key]
    let pipe = Pipe()
    process.standardOutput = pipe
    output = pipe.fileHandleForReading
    try process.run()
    port = Int(Self.readLine(from: output)) ?? 0
  }

  /// Waits until the client disconnects and returns the conversation: a line for each command and
  /// for the message.
  func conversation() -> [String] {
    process.waitUntilExit()
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// The SHA-256 of the public key, in hexadecimal digits.
  func fingerprint() throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      "openssl x509 -in '\(certificate)' -pubkey -noout | openssl pkey -pubin -outform der"
        + " | openssl dgst -sha256 | sed 's/.*= *//'",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    return Self.readLine(from: pipe.fileHandleForReading)
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  private static func readLine(from file: FileHandle) -> String {
    var line = Data()
    while let byte = try? file.read(upToCount: 1), byte.first != 0x0A, !byte.isEmpty {
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Runs a tool.
  /// - Returns: Whether it exists and succeeded.
  private static func run(_ tool: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// The server's program, which serves one connection and then exits.
  private static let program = """
    import base64, socket, ssl, sys
    mode, certificate, key = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1])
    connection, _ = listener.accept()
    secured = False
    try:
        if mode != "starttls":
            connection = context.wrap_socket(connection, server_side=True)
            secured = True
        stream = connection.makefile("rwb")
        def say(text):
            stream.write(text.encode() + b"\\r\\n")
            stream.flush()
        if mode == "https":
            line, size = stream.readline(), 0
            print(line.decode().strip())
            while line.strip():
                line = stream.readline()
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            stream.read(size)
            say("HTTP/1.1 204 No Content\\r\\nConnection: close\\r\\n")
        else:
            say("220 test ESMTP")
        while mode != "https":
            line = stream.readline().decode().rstrip("\\r\\n")
            if not line:
                break
            verb = line.split()[0].upper()
            print(("TLS " if secured else "PLAIN ") + verb)
            if verb == "EHLO":
                say("250-test\\r\\n250 AUTH PLAIN" if secured else "250-test\\r\\n250 STARTTLS")
            elif verb == "STARTTLS":
                say("220 go on")
                connection = context.wrap_socket(connection, server_side=True)
                stream = connection.makefile("rwb")
                secured = True
            elif verb == "AUTH":
                say("334 ")
                print("LOGIN " + base64.b64decode(stream.readline()).decode().replace("\\0", " "))
                say("235 welcome")
            elif verb == "DATA":
                say("354 go on")
                while stream.readline() not in (b".\\r\\n", b""):
                    pass
                print("MESSAGE")
                say("250 queued")
            elif verb == "QUIT":
                say("221 bye")
                break
            else:
                say("250 ok")
    except (ssl.SSLError, ConnectionError) as error:
        print("BROKEN")
    """
}
