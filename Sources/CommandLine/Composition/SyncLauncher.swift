import Clients
import Dispatch
import Glibc
import Processes

/// Starts `lifesignal sync --background`, which sends what waits even after this program and its
/// terminal are gone (OFF-5).
struct SyncLauncher: Sendable {
  private let folders: Folders
  private let account: String?

  /// - Parameter account: The address of the account that the program was started for.
  init(_ folders: Folders, account: String?) { (self.folders, self.account) = (folders, account) }

  /// Starts it, unless one runs. If it can't be started, the next program sends what waits.
  func start() {
    let log = Launch.File.path(
      folders.syncLog, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600)
    let launch = { (output: Launch.File) throws(Launch.Failure) -> Int32 in
      try Launch(
        "/proc/self/exe",
        ["sync", "--background"] + (account.map { ["--as", $0] } ?? []),
        files: [STDIN_FILENO: .null, STDOUT_FILENO: output, STDERR_FILENO: output],
        // A lock of a script that started this process would stay locked as long as it sends.
        closesOtherFiles: true, group: .session
      ).start()
    }
    // A log that can't be written keeps nothing from being sent.
    guard let child = (try? launch(log)) ?? (try? launch(.null)) else { return }
    // One that ends while this program runs must not stay as a zombie.
    DispatchQueue(label: "sync").async { Launch.wait(for: child) }
  }
}
