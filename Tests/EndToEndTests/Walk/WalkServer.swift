import Foundation
import TerminalTesting
import Testing

/// A server and its two monitors on a separate machine.
final class WalkServer {
  private let home: Home
  private let variables: [String: String]
  private var data: String { home.path + "/server" }
  let port: Int
  private var process: Process?

  /// - Parameters:
  ///   - home: The home on its machine.
  ///   - variables: The environment variables that set the clock of its programs.
  ///   - configuration: The mail configuration of its monitors.
  init(home: Home, variables: [String: String], port: Int, configuration: String) throws {
    self.home = home
    self.variables = variables
    self.port = port
    try run(
      "init", "--data", data, "--url", "http://127.0.0.1:\(port)", "--listen", "127.0.0.1:\(port)")
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: data + "/config.json5"))
    try start()
    try startMonitors()
  }

  deinit { if let process { kill(process.processIdentifier, SIGKILL) } }

  /// Creates an invitation.
  func invite() throws -> String {
    try String(#require(run("invite", "--data", data).split(separator: "\n").last))
  }

  func isKilledAndStartedAgain() throws {
    isKilled()
    try start()
  }

  func isKilled() {
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Stops answering without closing its connections.
  func hangs() {
    if let process { kill(process.processIdentifier, SIGSTOP) }
  }

  func startMonitors() throws {
    for _ in 1...2 { _ = try startProgram("lifesignal-monitor", "--data", data) }
  }

  /// The log of its programs.
  var wholeLog: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }

  /// The last lines of the log.
  var log: String { wholeLog.split(separator: "\n").suffix(30).joined(separator: "\n") }

  private var logFile: String { home.path + "/server.log" }

  /// Starts the server without waiting until it is ready. Clients wait for an answer or retry.
  func start() throws {
    process = try startProgram("lifesignal-server", "run", "--data", data)
  }

  private func startProgram(_ words: String...) throws -> Process {
    let process = home.makeProcess(
      BuiltProgram.path("clocked-lifesignal"), words, environment: variables)
    let log = Glibc.open(logFile, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(log) }
    process.standardOutput = FileHandle(fileDescriptor: log)
    process.standardError = FileHandle(fileDescriptor: log)
    try process.run()
    return process
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> String {
    let result = try home.run(
      program: BuiltProgram.path("clocked-lifesignal"), ["lifesignal-server"] + arguments,
      environment: variables)
    #expect(result.code == 0, "\(result)")
    return result.output
  }
}
