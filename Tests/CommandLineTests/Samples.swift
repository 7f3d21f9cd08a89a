import Clients
import Composable
import Domain
import FoundationEssentials
import InMemoryPlatform
import Synchronization

@testable import CommandLine

/// A tool on an in-memory platform at a time that the test sets, and all that it has said.
final class ToolUnderTest: Sendable {
  private let said = Mutex<(output: [String], errors: [String])>(([], []))
  private let time = Mutex(Date(timeIntervalSince1970: 1_795_248_000))
  private let secret: String?
  /// Calls of “start a monitor”.
  let monitorsStarted = Mutex(0)
  private let platform: Mutex<InMemoryPlatform?> = Mutex(nil)

  init(secret: String? = nil) {
    self.secret = secret
    platform.withLock {
      $0 = InMemoryPlatform(
        now: { [weak self] in self?.now ?? .distantPast },
        startMonitor: { [weak self] () async throws(StorageError) in
          self?.monitorsStarted.withLock { $0 += 1 }
        })
    }
  }

  var now: Date {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  var output: [String] { said.withLock { $0.output } }
  var errors: [String] { said.withLock { $0.errors } }

  /// Runs a command line and returns its exit code; what it says is kept.
  func run(_ words: String..., environment: [String: String] = ["HOME": "/nowhere"]) async
    -> ExitCode
  {
    said.withLock { $0 = ([], []) }
    let platform = platform.withLock { $0! }
    let now: @Sendable () -> Date = { [weak self] in self?.now ?? .distantPast }
    let root = CompositionRoot(environment: environment) { (_, values) throws(StorageError) in
      platform.install(in: &values)
      values.dateClient = DateClient(now: now, calendar: .utc)
    }
    let tool = LifeSignalTool(
      root: root,
      console: Console(
        print: { line in self.said.withLock { $0.output.append(line) } },
        printError: { line in self.said.withLock { $0.errors.append(line) } },
        readSecret: { _ in self.secret }))
    do throws(UsageError) {
      switch try tool.request(words) {
      case .command(let arguments): return await tool.run(arguments)
      case .text(let text):
        said.withLock { $0.output.append(text) }
        return .ok
      case .app, .demo, .monitor: return .error
      }
    } catch {
      return tool.complain(error)
    }
  }
}
