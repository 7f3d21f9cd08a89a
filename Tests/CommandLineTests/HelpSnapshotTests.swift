import TerminalTesting
import Testing

@testable import CommandLine

/// Snapshots of every help text, in `__Snapshots__/help`.
struct HelpSnapshotTests {
  @Test(arguments: [.app] + CommandDeclaration.all)
  func text(_ command: CommandDeclaration) async {
    let outcome = await World().run("\(command.name) --help")
    #expect(outcome.exitCode == 0 && outcome.errorOutput.isEmpty)
    expectLines(
      String(outcome.output.dropLast()).lines,
      named: "help/\(command.name.isEmpty ? "lifesignal" : command.name)")
  }
}
