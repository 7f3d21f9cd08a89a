import Clients
import Composable
import Dispatch
import Domain
import Glibc
import Terminal

/// The program `lifesignal`: reads the command line, does what it says, and tells how it went.
///
///     CommandLineTool(.live).main()
///
/// Nothing here knows the process it runs in: the ``Invocation`` is the whole world.
public struct CommandLineTool: Sendable {
  private let invocation: Invocation

  public init(_ invocation: Invocation) { self.invocation = invocation }

  private static let parser = ArgumentParser(app: .app, commands: CommandDeclaration.all)

  /// Runs on the main thread and ends the process.
  ///
  /// The app takes the main thread for itself; everything else runs beside it.
  @MainActor
  public func main() -> Never {
    // A file that may not grow any more is an error of a write, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    // Nor is a reader that goes away: an alert is told of though nobody reads what we say.
    signal(SIGPIPE, SIG_IGN)
    let outcome = parse()
    if case .success(.run(let command as any ScreenCommand, let account)) = outcome {
      exit(
        tell(
          Result { () throws(CommandFailure) in try command.show(invocation.working(for: account)) }
        ).rawValue)
    }
    Task.detached { exit(await run(outcome).rawValue) }
    dispatchMain()
  }

  /// Runs and returns how it ended. Screens need ``main()``.
  public func run() async -> ExitCode { await run(parse()) }

  private func parse() -> Result<ArgumentParser.Request, UsageError> {
    Result { () throws(UsageError) in try Self.parser.parse(invocation.arguments) }
  }

  private func run(_ outcome: Result<ArgumentParser.Request, UsageError>) async -> ExitCode {
    switch outcome {
    case .failure(let error):
      complain(error.sentence, error.advice)
      return .usage
    case .success(.help(let command)):
      return tell(.success(Report(HelpText(command).text.lines)))
    case .success(.version):
      return tell(.success(Report([Version.program])))
    case .success(.run(let command, let account)):
      let invocation = invocation.working(for: account)
      do { return tell(.success(try await run(command, invocation))) } catch {
        return tell(.failure(error))
      }
    }
  }

  private func run(
    _ command: any Subcommand, _ invocation: Invocation
  ) async throws(CommandFailure) -> Report {
    switch command {
    case let command as any ScreenCommand:
      return try await MainActor.run { () -> Result<Report, CommandFailure> in
        Result { () throws(CommandFailure) in try command.show(invocation) }
      }.get()
    case let command as any StoreCommand:
      return try await runWithStore(command, invocation)
    case let command as any PlainCommand:
      return try await command.run(invocation)
    default:
      preconditionFailure("\(type(of: command)) is a command of no kind.")
    }
  }

  private func runWithStore(
    _ command: any StoreCommand, _ invocation: Invocation
  ) async throws(CommandFailure) -> Report {
    let store = try CompositionRoot(invocation)
      .openStore(replacingDamaged: command.replacesDamaged, waiting: command.worksWithoutStore)
    let outcome = await withDependencies {
      store.provide(&$0)
    } operation: { () async -> Result<Report, CommandFailure> in
      do throws(CommandFailure) { return .success(try await command.run(invocation)) } catch {
        return .failure(error)
      }
    }
    var report = try outcome.get()
    report.lines = store.lines + report.lines
    report.warnings = store.warnings + report.warnings
    return report
  }

  // MARK: Telling

  /// Writes what a command has to say; all of standard output in one go.
  private func tell(_ outcome: Result<Report, CommandFailure>) -> ExitCode {
    let report: Report
    switch outcome {
    case .failure(let failure):
      complain(failure.sentence, failure.advice)
      return failure.exitCode
    case .success(let success): report = success
    }
    var text = report.lines.map { $0.sanitized + "\n" }.joined()
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
    // When standard error is gone too, the exit code is all that is left to say.
    _ = invocation.standardError.write("lifesignal: \(text.sanitized)\n")
  }
}
