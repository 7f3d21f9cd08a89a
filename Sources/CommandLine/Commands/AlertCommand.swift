import Clients
import Composable
import Domain

/// `lifesignal alert on|off`.
struct AlertCommand: Equatable {
  enum Change: Equatable {
    case on(message: String)
    case off
  }
  var change: Change

  init(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments.arguments == ["on"] {
      do {
        change = .on(message: try ProfileRules.alertMessage(arguments.value("message") ?? ""))
      } catch {
        throw UsageError(message: "--message: \(error.errorDescription)", command: "alert")
      }
    } else {
      guard !arguments.has("message") else {
        throw UsageError(message: "--message goes with “alert on”.", command: "alert")
      }
      change = .off
    }
  }

  func run(_ console: Console) async throws(AlertError) -> ExitCode {
    @Dependency(\.alertClient) var alertClient
    switch change {
    case .on(let message):
      _ = try await alertClient.raise(message)
      console.say("The alert is on.")
      await watch(console)
    case .off:
      _ = try await alertClient.cancel()
      console.say("The alert is cancelled. Everybody who was told will hear of it.")
      await watch(console)
    }
    return .ok
  }

  /// An alert that nobody sends is worth nothing: makes sure of a monitor.
  private func watch(_ console: Console) async {
    @Dependency(\.watchClient) var watchClient
    @Dependency(\.contactsClient) var contactsClient
    let responders = try? await contactsClient.contacts().filter { $0.roles.contains(.responder) }
    if responders?.isEmpty == true {
      console.complain("You have no responders: nobody will be told.")
    }
    do throws(StorageError) {
      try await watchClient.start()
    } catch {
      console.complain("No monitor could be started: \(error.errorDescription)")
    }
    if let problem = try? await watchClient.status().problem {
      console.complain("Messages cannot be sent: \(problem)")
    }
  }
}
