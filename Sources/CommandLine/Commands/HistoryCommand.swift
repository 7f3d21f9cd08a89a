import Clients
import Composable
import Domain

/// `lifesignal history`: lists the last check-ins (CHK-5).
struct HistoryCommand: StoreCommand {
  var limit: Int
  var asJSON: Bool
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "history", "List your last check-ins",
    discussion: [
      "Newest first. Left is how much time remained, and late how much was missing. An early one came"
        + " before a set time opened, so that the deadline stayed.",
      "The JSON is an array; each check-in has date (RFC 3339, UTC), source (manual, command_line,"
        + " ping_answer, link or automatic), seconds_left (negative if it was late, null for the first one),"
        + " early (true if it came before a set time opened, so that the deadline stayed) and received_at (RFC 3339, UTC, if the server received it later than it was made, or null).",
    ]
  ) { syntax in
    let limit = syntax.option(
      "limit", "NUMBER", "How many to list, 1 to 1000 (default: 20)"
    ) { text throws in
      guard let number = Int(text), (1...1_000).contains(number) else {
        throw InvalidValue("\(quoted(text)) isn't a number from 1 to 1000.")
      }
      return number
    }
    let json = syntax.flag("json", "Print one line of JSON")
    return { HistoryCommand(limit: try $0.value(of: limit) ?? 20, asJSON: $0.isSet(json)) }
  }

  var onlyReads: Bool { true }

  func run(_ invocation: Invocation) async throws -> Report {
    connectionClient.showLastKnown()
    let checkIns = try await checkInClient.history(limit)
    guard !asJSON else { return Report(verbatim: JSONText.array(checkIns.map(\.json)).text) }
    guard !checkIns.isEmpty else {
      return Report(["None yet: your first deadline started when you began."])
    }
    return Report(
      connectionClient.ageLines(dateClient)
        + aligned(
          checkIns.map {
            [
              dateClient.describe($0.date), $0.source.displayText, $0.marginText,
            ] + ($0.receivedAt.map { ["received \(dateClient.describe($0))"] } ?? [])
          }))
  }
}

extension CheckIn {
  fileprivate var json: JSONText {
    [
      "date": .string(date.rfc3339), "source": .string(source.rawValue),
      "seconds_left": margin.map { .integer($0.seconds) } ?? .null,
      "early": .boolean(isEarly), "received_at": .optional(receivedAt?.rfc3339),
    ]
  }
}
