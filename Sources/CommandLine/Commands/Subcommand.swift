/// A command with its values parsed and checked. It has one of the three kinds below.
protocol Subcommand: Sendable {}

/// A command that needs no store.
protocol PlainCommand: Subcommand {
  func run(_ invocation: Invocation) async throws -> Report
}

/// A command that reads or writes the store. It runs with the platform's clients.
protocol StoreCommand: Subcommand {
  /// Whether it can set a damaged store aside and start with a new one.
  var replacesDamaged: Bool { get }
  /// Whether it can do part of its work if the store can't be used.
  var worksWithoutStore: Bool { get }
  /// Whether it can do all of its work if the store can be read but not written.
  var onlyReads: Bool { get }
  /// The text that precedes an error if the store can't be opened.
  var refusal: String { get }
  func run(_ invocation: Invocation) async throws -> Report
}

extension StoreCommand {
  var replacesDamaged: Bool { false }
  var worksWithoutStore: Bool { false }
  var onlyReads: Bool { false }
  var refusal: String { "" }
}

/// A command that applies only to a machine with its own accounts. For machines that joined a
/// server, the server does that work.
protocol LocalCommand: Subcommand {}

/// A command that shows screens and occupies the main thread until it ends.
protocol ScreenCommand: Subcommand {
  @MainActor func show(_ invocation: Invocation) throws -> Report
}

extension CommandDeclaration {
  /// The app, which runs if there is no command.
  static let app = AppCommand.declaration

  /// Every command, in the order of the help text.
  static let all: [CommandDeclaration] = [
    InitCommand.declaration, JoinCommand.declaration, LeaveCommand.declaration,
    SignInCommand.declaration, SignOutCommand.declaration,
    ConfirmCommand.declaration,
    CheckInCommand.declaration, SyncCommand.declaration, StatusCommand.declaration,
    OutCommand.declaration, CheckInCommand.back, PauseCommand.declaration,
    ResumeCommand.declaration, IntervalCommand.declaration, ScheduleCommand.declaration,
    HistoryCommand.declaration,
    AlertCommand.declaration, AlertCommand.sos, AckCommand.declaration,
    DrillCommand.declaration, ContactsCommand.declaration, InviteCommand.declaration,
    ChannelsCommand.declaration,
    MailCommand.declaration,
    DeclineCommand.declaration, PingCommand.declaration, DocumentsCommand.declaration,
    OpenCommand.declaration, MonitorCommand.declaration, StandbyCommand.declaration,
    LinksCommand.declaration, SignsCommand.declaration,
    DoctorCommand.declaration, RestoreCommand.declaration, KeychainCommand.declaration,
    ExportCommand.declaration,
    ImportCommand.declaration, SettingsCommand.declaration, DemoCommand.declaration,
    ReplayCommand.declaration,
    CompletionsCommand.declaration, HelpCommand.declaration,
  ]
}
