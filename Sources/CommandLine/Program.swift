import Clients
import Composable
import Dispatch
import Domain
import FoundationEssentials
@preconcurrency import Glibc
import InMemoryPlatform

/// The process: reads its arguments and environment, does what they ask for, and ends.
public enum Program {
  /// Never returns. Call it from synchronous code on the main thread: the app's loop blocks it.
  @MainActor public static func main() -> Never {
    // A reader that went away is an error of a write, not the end of the process; monitors that
    // end are not waited for.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGCHLD, SIG_IGN)
    let environment = processEnvironment()
    let tool = LifeSignalTool(root: .embedded(environment: environment), console: .standard)
    do throws(UsageError) {
      switch try tool.request(processArguments()) {
      case .text(let text):
        tool.console.print(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        finish(.ok)
      case .monitor(let words):
        let reason = MonitorLauncher.become(words)
        tool.console.complain("The monitor could not be started: \(reason).")
        finish(.error)
      case .app(let arguments):
        finish(openApp(arguments, tool))
      case .demo(let arguments):
        if let screen = arguments.value("frame") {
          let frame = try DemoFrame(arguments, screen: screen)
          later {
            tool.console.print(await frame.render())
            return .ok
          }
        }
        finish(openDemo(arguments, tool))
      case .command(let arguments):
        later { await tool.run(arguments) }
      }
    } catch {
      finish(tool.complain(error))
    }
  }

  @MainActor private static func openApp(
    _ arguments: ParsedArguments, _ tool: LifeSignalTool
  ) -> ExitCode {
    var values = DependencyValues.current
    do throws(StorageError) {
      let folders = try tool.root.folders
      if arguments.has("set-aside") { try tool.setAside(folders) }
      try tool.root.install(folders, &values)
    } catch {
      return tool.complain(error.text)
    }
    if let problem = tool.root.configurationProblem() { return tool.complain(problem.text) }
    return AppRunner(
      appearance: Appearance(arguments), dependencies: values, console: tool.console
    ).run()
  }

  @MainActor private static func openDemo(
    _ arguments: ParsedArguments, _ tool: LifeSignalTool
  ) -> ExitCode {
    var values = DependencyValues.current
    InMemoryPlatform.demo(now: { Date() }).install(in: &values)
    return AppRunner(
      appearance: Appearance(arguments), dependencies: values, console: tool.console
    ).run()
  }

  /// Runs asynchronous work while the main thread serves the main actor.
  private static func later(_ work: @escaping @MainActor () async -> ExitCode) -> Never {
    Task { @MainActor in finish(await work()) }
    dispatchMain()
  }

  private static func finish(_ code: ExitCode) -> Never { exit(code.rawValue) }

  private static func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let variable = entry.pointee {
      let parts = String(cString: variable).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }

  /// The words after the program's name. A preloaded library that changes the environment leaves
  /// Swift's own list empty; the kernel still has it.
  private static func processArguments() -> [String] {
    let words = Swift.CommandLine.arguments
    if !words.isEmpty { return Array(words.dropFirst()) }
    guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/self/cmdline")) else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false)
      .dropLast().dropFirst().map { String(decoding: $0, as: UTF8.self) }
  }
}
