/// What a command line asks for, with its values read and checked. It is of one of three kinds.
protocol Subcommand: Sendable {}

/// A command that needs no store.
protocol PlainCommand: Subcommand {
  func run(_ invocation: Invocation) async throws -> Report
}

/// A command that reads or writes the store: it runs with the clients of the platform.
protocol StoreCommand: Subcommand {
  /// Whether it can set a damaged store aside and start with a new one.
  var replacesDamaged: Bool { get }
  /// Whether it does its work, as far as it can, where the store can't be used.
  var worksWithoutStore: Bool { get }
  /// What is said first where it can't do its work.
  var refusal: String { get }
  func run(_ invocation: Invocation) async throws -> Report
}

extension StoreCommand {
  var replacesDamaged: Bool { false }
  var worksWithoutStore: Bool { false }
  var refusal: String { "" }
}

/// A command for what a machine does that keeps its accounts itself, and a server does for those that joined it.
protocol LocalCommand: Subcommand {}

/// A command that shows screens, and for that takes the main thread until it ends.
protocol ScreenCommand: Subcommand {
  @MainActor func show(_ invocation: Invocation) throws -> Report
}

extension CommandDeclaration {
  /// The app: what runs without a command.
  static let app = AppCommand.declaration

  /// Every command, in the order of the help text.
  static let all: [CommandDeclaration] = [
    InitCommand.declaration, JoinCommand.declaration, LeaveCommand.declaration,
    SignInCommand.declaration, SignOutCommand.declaration,
    ConfirmCommand.declaration,
    CheckInCommand.declaration, StatusCommand.declaration, PauseCommand.declaration,
    ResumeCommand.declaration, AlertCommand.declaration, AckCommand.declaration,
    DrillCommand.declaration, ContactsCommand.declaration, InviteCommand.declaration,
    ChannelsCommand.declaration,
    MailCommand.declaration,
    DeclineCommand.declaration, PingCommand.declaration, DocumentsCommand.declaration,
    OpenCommand.declaration, MonitorCommand.declaration, StandbyCommand.declaration,
    LinksCommand.declaration,
    DoctorCommand.declaration, RestoreCommand.declaration, KeychainCommand.declaration,
    ExportCommand.declaration,
    ImportCommand.declaration, DemoCommand.declaration, ReplayCommand.declaration,
    CompletionsCommand.declaration, HelpCommand.declaration,
  ]
}
