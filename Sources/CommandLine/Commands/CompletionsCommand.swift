/// `lifesignal completions`: prints a completion script for a shell.
struct CompletionsCommand: PlainCommand {
  var shell: Shell

  static let declaration = CommandDeclaration(
    "completions", "Print a completion script for your shell",
    takesAccount: false
  ) { syntax in
    let shell: Argument<Shell> = syntax.choice(
      [
        .bash: "For bash: source <(lifesignal completions bash)",
        .zsh: "For zsh: save it as _lifesignal in a folder of your fpath",
        .fish: "For fish: save it as ~/.config/fish/completions/lifesignal.fish",
      ], "The shell")
    return { CompletionsCommand(shell: try $0.required(shell)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    Report(shell.script(app: .app, commands: CommandDeclaration.all).lines)
  }
}
