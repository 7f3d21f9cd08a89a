import Clients
import Composable
import Dispatch
import Domain
import Glibc
import SharedPlatform
import System
import Terminal

/// The program `lifesignal`: parses the command line, runs the command and reports the result.
///
///     CommandLineTool(.live).main()
///
/// It uses nothing of its process directly: everything comes from the ``Invocation``.
public struct CommandLineTool: Sendable {
  private let invocation: Invocation

  public init(_ invocation: Invocation) { self.invocation = invocation }

  private static let parser = ArgumentParser(
    app: .app, commands: CommandDeclaration.all + [CompleteCommand.declaration])

  /// Runs on the main thread, then exits.
  ///
  /// The app needs the main thread; every other command runs on another one.
  @MainActor
  public func main() -> Never {
    // A write that hits the file size limit must fail, not kill the process.
    signal(SIGXFSZ, SIG_IGN)
    // The same if nobody reads our output: an alert must still be sent.
    signal(SIGPIPE, SIG_IGN)
    guard hasFreeDescriptors() else {
      exit(
        output(
          CommandFailure(
            "NOTHING was done: this process can't open any more files.",
            advice: "Raise its limit (ulimit -n), or close other programs, and try again.")
        ).rawValue)
    }
    do {
      let request = try Self.parser.parse(invocation.arguments)
      if case .run(let command as any ScreenCommand, let account, _) = request {
        exit(output(try command.show(invocation.working(for: account))).rawValue)
      }
      Task.detached { exit(await run(request).rawValue) }
    } catch { exit(output(CommandFailure(error)).rawValue) }
    dispatchMain()
  }

  /// Runs and returns the exit code. Screens need ``main()``.
  public func run() async -> ExitCode {
    do { return await run(try Self.parser.parse(invocation.arguments)) } catch {
      return output(CommandFailure(error))
    }
  }

  private func run(_ request: ArgumentParser.Request) async -> ExitCode {
    switch request {
    case .help(let command): return output(Report(HelpText(command).text.lines))
    case .version: return output(Report([Version.program]))
    case .run(let command, let account, let location):
      let invocation = invocation.working(for: account)
      do {
        let report = try await EffectLocation.$current.withValue(location) {
          try await run(command, invocation)
        }
        return output(report)
      } catch let error as ClientError {
        let text = invocation.text(of: error)
        return output(
          CommandFailure(text.description, advice: text.recovery, exitCode: error.exitCode))
      } catch { return output(CommandFailure(error)) }
    }
  }

  private func run(_ command: any Subcommand, _ invocation: Invocation) async throws -> Report {
    if command is any LocalCommand, let server = try? invocation.joinedServer() {
      throw CommandFailure(
        "This machine has joined the server \(server.name), which does that.",
        advice: "To keep an account on this machine instead, run lifesignal leave.")
    }
    switch command {
    case let command as any ScreenCommand: return try await command.show(invocation)
    case let command as any StoreCommand: return try await runWithStore(command, invocation)
    case let command as any PlainCommand: return try await command.run(invocation)
    default: preconditionFailure("\(type(of: command)) is a command of no kind.")
    }
  }

  private func runWithStore(
    _ command: any StoreCommand, _ invocation: Invocation
  ) async throws -> Report {
    let store: CompositionRoot.OpenedStore
    do {
      store = try CompositionRoot(invocation)
        .openStore(
          replacingDamaged: command.replacesDamaged, waiting: command.worksWithoutStore,
          onlyReading: command.onlyReads)
    } catch {
      var failure = CommandFailure(error)
      failure.sentence = command.refusal + failure.sentence
      throw failure
    }
    var report = try await withDependencies {
      store.provide(&$0)
    } operation: {
      @Dependency(\.watchClient) var watchClient
      var report = try await command.run(invocation)
      if let warning = watchClient.warningOfEnd { report.warnings.append(warning) }
      // After a restart of the machine, nothing else sends what waits.
      @Dependency(\.offlineClient) var offlineClient
      if !(command is SyncCommand), offlineClient.outbox().hasWaiting {
        offlineClient.startSync()
      }
      return report
    }
    report.lines = store.lines + report.lines
    report.warnings = store.warnings + report.warnings
    return report
  }

  // MARK: Output

  private func output(_ failure: CommandFailure) -> ExitCode {
    complain(failure.sentence, failure.advice)
    return failure.exitCode
  }

  /// Writes a command's report; all of its standard output in one write.
  private func output(_ report: Report) -> ExitCode {
    var text = report.lines.map(invocation.standardOutput.line).joined()
    if let verbatim = report.verbatim { text += verbatim + "\n" }
    let writeFailure = text.isEmpty ? nil : invocation.standardOutput.write(text)
    for warning in report.warnings { complain(warning, nil) }
    if let writeFailure {
      complain("Standard output could not be written: \(writeFailure).", nil)
      return .failure
    }
    return report.exitCode
  }

  private func complain(_ sentence: String, _ advice: String?) {
    let text = advice.map { "\(sentence) \($0)" } ?? sentence
    // If standard error is gone too, only the exit code is left.
    _ = invocation.standardError.write(invocation.standardError.line("lifesignal: \(text)"))
  }
}
