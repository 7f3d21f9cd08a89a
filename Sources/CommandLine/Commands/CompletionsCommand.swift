/// `lifesignal completions`: what a shell needs to complete this program's words.
struct CompletionsCommand: PlainCommand {
  var shell: CompletionShell

  static let declaration = CommandDeclaration(
    "completions", "Print what lets a shell complete the words of this program",
    takesAccount: false
  ) { words in
    let shell: Argument<CompletionShell> = words.choice(
      [
        .bash: "For bash, with source <(lifesignal completions bash)",
        .zsh: "For zsh, as _lifesignal in a folder of fpath",
        .fish: "For fish, in ~/.config/fish/completions/lifesignal.fish",
      ], "The shell")
    return { CompletionsCommand(shell: try $0.required(shell)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    Report(shell.script(app: .app, commands: CommandDeclaration.all).lines)
  }
}
