/// `lifesignal completions`: what a shell needs to complete this program's words.
struct CompletionsCommand: PlainCommand {
  var shell: CompletionShell

  static let shell = Argument(
    ArgumentDeclaration(
      placeholder: "bash|zsh|fish", help: "The shell",
      choices: [
        .init(name: "bash", help: "For bash, with source <(lifesignal completions bash)"),
        .init(name: "zsh", help: "For zsh, as _lifesignal in a folder of fpath"),
        .init(name: "fish", help: "For fish, in ~/.config/fish/completions/lifesignal.fish"),
      ]),
    read: byName(CompletionShell.self))

  static let declaration = CommandDeclaration(
    name: "completions", summary: "Print what lets a shell complete the words of this program",
    arguments: [shell.declaration], takesAccount: false,
    make: { (arguments: ParsedArguments) throws(UsageError) in
      CompletionsCommand(shell: try arguments.required(shell))
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    Report(shell.script(app: .app, commands: CommandDeclaration.all).lines)
  }
}
