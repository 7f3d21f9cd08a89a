import Clients
import Composable
import Domain
import EmbeddedPlatform
import FoundationEssentials
import Glibc
import Monitor

/// Watches the deadlines of one person's store, and tells the responders.
@main
enum MonitorProgram {
  /// Why the program cannot do its work.
  struct Failure: Error {
    var reason: String
    var recovery: String?
    var code: Int32 = 1
  }

  static func main() {
    Signals.prepare()
    // Not on the main actor, whose thread waits for signals.
    let work = Task.detached { exit(await exitCode()) }
    _ = Signals.waitForEnd()
    work.cancel()
    _exit(128 + Signals.waitForEnd())  // Asked twice, it does not finish anything.
  }

  private static func exitCode() async -> Int32 {
    do throws(Failure) { return try await run() } catch {
      StandardErrorLog.print("lifesignal-monitor: \(error.reason)\n")
      if let recovery = error.recovery { StandardErrorLog.print("  \(recovery)\n") }
      return error.code
    }
  }

  private static func run() async throws(Failure) -> Int32 {
    let arguments: Arguments
    do { arguments = try Arguments(CommandLine.arguments.dropFirst()) } catch {
      throw Failure(
        reason: "\(error.reason).", recovery: "Try “lifesignal-monitor --help”.", code: 2)
    }
    if arguments == .help {
      StandardErrorLog.print(Arguments.usage, to: STDOUT_FILENO)
      return 0
    }
    let environment = ProcessInfo.processInfo.environment
    guard let folders = Folders(environment: environment) else {
      throw Failure(
        reason: "Neither HOME nor the XDG variables name a folder.", recovery: "Set HOME.")
    }
    let file = ConfigurationFile(path: folders.configuration)
    // A monitor that watches waits for the file to be mended, and says so meanwhile.
    if arguments == .once, let fault = file.current().fault { throw Failure(fault) }
    let clients = try await open(folders)
    let mail = MailCourier(
      file: file, keychainClient: clients.keychainClient, dateClient: clients.dateClient,
      password: environment["LIFESIGNAL_SMTP_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 })
    let loop = MonitorLoop(
      id: UUID(), store: clients.monitorClient, courier: mail.courier,
      dateClient: clients.dateClient, clock: ContinuousClock(),
      random: clients.withRandomNumberGenerator, log: StandardErrorLog.monitorLog)
    switch arguments {
    case .help, .watch:
      return try await watch(loop, onlyIfNone: arguments == .watch(onlyIfNone: true))
    case .once: return try await deliverOnce(loop)
    }
  }

  /// Opens the store of a person who has an account; making one is the app's part.
  private static func open(_ folders: Folders) async throws(Failure) -> DependencyValues {
    let noAccount = Failure(
      reason: "There is no account here yet.", recovery: "Run lifesignal to open one.")
    let isThere = access(folders.database, F_OK) == 0 || access(folders.storeMarker, F_OK) == 0
    guard isThere else { throw noAccount }
    var clients = DependencyValues()
    do throws(StorageError) {
      try EmbeddedPlatform(folders: folders).install(in: &clients)
    } catch { throw Failure(error) }
    let user: User.ID?
    do { user = try await clients.authClient.currentUserID() } catch { throw Failure(error) }
    guard user != nil else { throw noAccount }
    return clients
  }

  private static func watch(
    _ loop: MonitorLoop<ContinuousClock>, onlyIfNone: Bool
  ) async throws(Failure) -> Int32 {
    if onlyIfNone {
      do throws(StorageError) {
        guard try await loop.joinIfNone() else { return 0 }
      } catch { throw Failure(error) }
    }
    await loop.run()
    return 0
  }

  private static func deliverOnce(
    _ loop: MonitorLoop<ContinuousClock>
  ) async throws(Failure) -> Int32 {
    let round = await loop.runOnce()
    guard round.problems.isEmpty else {
      throw Failure(
        reason: "Not everything could be delivered: \(round.problems.joined(separator: "; ")).")
    }
    return 0
  }
}

extension MonitorProgram.Failure {
  init(_ error: some AppError) {
    self.init(reason: error.text.description, recovery: error.text.recovery)
  }
}
