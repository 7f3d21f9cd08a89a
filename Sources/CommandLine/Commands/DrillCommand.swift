import Clients
import Composable
import Domain
import Terminal

/// `lifesignal drill`: rehearses an alert, and says what reached whom and how fast (ALT-6).
struct DrillCommand: StoreCommand {
  var endsDrill: Bool
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "drill", "Rehearse an alert, and see whom it reaches",
    discussion: [
      "Everybody who responds for you gets a message marked DRILL, and another when it is over. It"
        + " ends by itself when everybody has been told. It is no alert: your status stays as it is."
        + " None begins while an alert is on, and an alert ends it.",
      "The command waits up to ten seconds. It ends with 0 only if everybody was told by then; the"
        + " monitor goes on trying.",
    ],
    exitCodes: [.init(code: .refused, help: "It is refused now: an alert is on")]
  ) { words in
    let end = words.flag("end", "End the drill that is on, and tell whoever was told")
    return { DrillCommand(endsDrill: $0.isSet(end)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    endsDrill ? try await stop() : try await rehearse(invocation)
  }

  private func stop() async throws -> Report {
    do throws(ClientError) { _ = try await alertClient.endDrill() } catch {
      throw error == .alertNotActive ? CommandFailure("No drill is on.") : CommandFailure(error)
    }
    return Report(["The drill is over. Whoever was told hears so."])
  }

  private func rehearse(_ invocation: Invocation) async throws -> Report {
    let drill: Alert
    do throws(ClientError) { drill = try await alertClient.drill() } catch {
      throw CommandFailure(error, exitCode: error == .alertIsOn ? .refused : .failure)
    }
    invocation.say("The drill is on since \(dateClient.describe(drill.raisedAt)).")
    do throws(StorageError) { try await watchClient.start() } catch {
      throw CommandFailure(
        "Nobody is told: \(error.errorDescription)", advice: "Start lifesignal monitor.")
    }
    let delivery = AlertDelivery(alert: drill.id, stage: .alertOn)
    let (alert, watch) = await delivery.wait()
    return report(alert.map(DrillReport.init), alert?.deliveries ?? [], delivery, watch)
  }

  private func report(
    _ drill: DrillReport?, _ messages: [DeliveryReport], _ delivery: AlertDelivery,
    _ watch: WatchReport
  ) -> Report {
    var report = Report()
    let lines = drill?.lines ?? []
    report.lines = aligned(
      lines.sorted { $0.recipient < $1.recipient }.map {
        [$0.recipient.sanitized, $0.channel.rawValue, $0.outcome]
      })
    if let drill, drill.isEverybodyTold {
      report.lines.append(drill.summary)
      return report
    }
    report.exitCode = .failure
    report.warnings.append(drill?.summary ?? "The store cannot be read now.")
    if let prospect = delivery.prospect(of: messages, watch) {
      report.warnings.append(prospect.trimmingWhitespace())
    }
    return report
  }
}
