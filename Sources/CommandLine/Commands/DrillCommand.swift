import Clients
import Composable
import Domain
import Terminal

/// `lifesignal drill`: rehearses an alert, and says who was sent what and how fast (ALT-6).
struct DrillCommand: StoreCommand {
  var endsDrill: Bool
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "drill", "Rehearse an alert and see who was sent it",
    discussion: [
      "Sends every responder a message marked DRILL, and another when it is over. Ends when"
        + " everyone has been sent one. Your status doesn't change. A drill can't start during an"
        + " alert, and an alert ends it.",
      "Waits up to 10 seconds and reports who was sent a message. Exits with 1 if someone"
        + " could not be sent one yet; the monitor keeps trying.",
    ],
    exitCodes: [.init(code: .refused, help: "Refused: an alert is on")]
  ) { syntax in
    let end = syntax.flag("end", "End the drill and notify everyone who was sent it")
    return { DrillCommand(endsDrill: $0.isSet(end)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    endsDrill ? try await stop() : try await rehearse(invocation)
  }

  private func stop() async throws -> Report {
    do throws(ClientError) { _ = try await alertClient.endDrill() } catch {
      throw error == .alertNotActive ? CommandFailure("No drill is on.") : CommandFailure(error)
    }
    return Report(["The drill is over. Everyone who was sent it is notified."])
  }

  private func rehearse(_ invocation: Invocation) async throws -> Report {
    let drill: Alert
    do throws(ClientError) { drill = try await alertClient.drill() } catch {
      throw CommandFailure(error)
    }
    invocation.say("The drill started \(dateClient.describe(drill.raisedAt)).")
    do throws(StorageError) { try await watchClient.start() } catch {
      throw CommandFailure(
        "Nobody can be notified: \(error.errorDescription)", advice: "Start lifesignal monitor.")
    }
    let delivery = AlertDelivery(alert: drill.id, stage: .alertOn)
    let (alert, watch) = try await delivery.wait()
    return report(alert.map(DrillReport.init), alert?.deliveries ?? [], delivery, watch)
  }

  private static let stillOn =
    "The drill stays on until each message was sent or refused. To end it now, run"
    + " lifesignal drill --end."

  private func report(
    _ drill: DrillReport?, _ messages: [DeliveryReport], _ delivery: AlertDelivery,
    _ watch: Situation.Watch
  ) -> Report {
    var report = Report()
    let lines = drill?.lines ?? []
    report.lines = aligned(
      lines.sorted { $0.recipient < $1.recipient }.map {
        [$0.recipient.sanitized, $0.channel.rawValue, $0.outcome]
      })
    let isStillOn = drill?.isWaiting == true ? Self.stillOn : nil
    if let drill, drill.isSentToAll {
      report.lines += [drill.summary, isStillOn].compactMap(\.self)
      return report
    }
    report.exitCode = .failure
    report.warnings.append(drill?.summary ?? "The store can't be read now.")
    if let prospect = delivery.prospect(of: messages, watch) {
      report.warnings.append(prospect.trimmingWhitespace())
    }
    report.warnings += [isStillOn].compactMap(\.self)
    return report
  }
}
