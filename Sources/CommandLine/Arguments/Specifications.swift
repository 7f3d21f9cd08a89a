/// The program's commands, in the order of its help.
enum Specifications {
  static let program = CommandSpecification(
    name: "", summary: "A personal-safety check-in system in the terminal",
    discussion: """
      Without a command the app opens. You promise to check in once per interval; when a deadline \
      passes, or when you raise an alert, the people you named are told by e-mail.

      LifeSignal is no substitute for emergency services.
      """,
    options: appearance + [setAside])

  static let commands: [CommandSpecification] = [
    CommandSpecification(
      name: "init", summary: "Open an account without the app",
      discussion: "The first deadline starts running at once.",
      options: [
        OptionSpecification(
          name: "name", value: "NAME", help: "your name, 2 to 50 characters", isRequired: true),
        OptionSpecification(
          name: "interval", value: "DURATION",
          help: "how often you check in, 1h to 30d; 24h unless given"),
        OptionSpecification(
          name: "phone", value: "PHONE", help: "your phone, with its country code"),
        OptionSpecification(
          name: "note", value: "TEXT", help: "what your responders should know in an emergency"),
        OptionSpecification(
          name: "email", value: "E-MAIL", help: "where your own reminders go"),
        OptionSpecification(
          name: "reminder", value: "DURATION",
          help: "how long before a deadline you are reminded; 30m unless given",
          isRepeatable: true),
        OptionSpecification(
          name: "grace", value: "DURATION",
          help: "how long after a deadline responders are told, 0m to 24h; 15m unless given"),
        OptionSpecification(
          name: "responder", value: "\"NAME <E-MAIL>\"", help: "somebody who is told",
          isRepeatable: true),
        setAside,
      ]),
    CommandSpecification(name: "check-in", summary: "Check in now"),
    CommandSpecification(
      name: "status", summary: "Say how much time is left",
      discussion: """
        The exit code tells the same: 0 all is well, 10 due soon, 20 overdue or non-responsive, \
        30 alert, 1 error.
        """,
      options: [.flag("json", "print one line of JSON")]),
    CommandSpecification(
      name: "alert", summary: "Raise an alert, or cancel it",
      arguments: [
        ArgumentSpecification(
          name: "on|off", help: "raise it, or cancel it", choices: ["on", "off"])
      ],
      options: [
        OptionSpecification(
          name: "message", value: "TEXT", help: "with “on”: what has happened, where you are")
      ]),
    CommandSpecification(
      name: "contacts", summary: "List your contacts",
      options: [.flag("json", "print one line of JSON")]),
    CommandSpecification(
      name: "monitor", summary: "Watch deadlines and send messages",
      discussion: """
        The monitor runs until it is stopped. The app and “alert on” start one by themselves when \
        none is alive.
        """,
      options: [.flag("once", "send what is due now, then end")]),
    CommandSpecification(
      name: "keychain", summary: "Keep or delete a secret",
      discussion: """
        “set” reads the secret from the terminal or from standard input, never from the command \
        line. The mail account's password is called smtp-password.
        """,
      arguments: [
        ArgumentSpecification(name: "set|delete", help: "what to do", choices: ["set", "delete"]),
        ArgumentSpecification(name: "NAME", help: "the secret's name"),
      ]),
    CommandSpecification(
      name: "demo", summary: "Try the app with sample people; nothing is stored",
      options: appearance + [
        OptionSpecification(
          name: "frame", value: "SCREEN", help: "print one screen instead of opening the app",
          choices: DemoScreen.allCases.map(\.rawValue)),
        OptionSpecification(
          name: "size", value: "COLSxROWS", help: "with --frame: its size; 80x24 unless given"),
        OptionSpecification(
          name: "format", value: "FORMAT", help: "with --frame: text unless given",
          choices: ["text", "ansi", "svg"]),
      ]),
    CommandSpecification(
      name: "help", summary: "Show help for a command",
      arguments: [
        ArgumentSpecification(
          name: "COMMAND", help: "the command; all of them unless given", isOptional: true)
      ],
      options: [.flag("man", "print the manual page")]),
  ]

  private static let setAside = OptionSpecification.flag(
    "set-aside", "keep a damaged store under another name and begin anew")

  static func command(named name: String) -> CommandSpecification? {
    commands.first { $0.name == name }
  }

  /// How the app looks and what it uses of the terminal.
  static let appearance: [OptionSpecification] = [
    OptionSpecification(
      name: "theme", value: "THEME", help: "the colours; by default those that suit the terminal",
      choices: ThemeChoice.allCases.map(\.rawValue)),
    OptionSpecification(
      name: "color", value: "DEPTH", help: "how many colours; auto unless given",
      choices: ["auto", "never", "16", "256", "true"]),
    .flag("ascii", "draw with ASCII characters only"),
    .flag("no-mouse", "leave the mouse to the terminal"),
    .flag("no-alt-screen", "draw on the normal screen"),
  ]

  /// Understood by every command.
  static let everywhere: [OptionSpecification] = [
    .flag("help", "show this help"),
    .flag("version", "show the version"),
  ]
}
