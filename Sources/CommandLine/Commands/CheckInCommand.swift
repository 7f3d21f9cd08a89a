import Clients
import Composable
import Domain

/// `lifesignal check-in`.
struct CheckInCommand {
  func run(_ console: Console) async throws(CheckInError) -> ExitCode {
    @Dependency(\.checkInClient) var checkInClient
    @Dependency(\.dateClient) var dateClient
    let user = try await checkInClient.checkIn(.commandLine)
    let deadline = dateClient.calendar.describe(user.deadline.date, now: dateClient.now())
    console.say("Checked in. Next deadline \(deadline).")
    return .ok
  }
}
