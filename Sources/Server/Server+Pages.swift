import Clients
import Cryptography
import Domain
import FoundationEssentials
import ServerProtocol
import Store
import Web

extension Server {
  /// Answers a request that isn't an operation of a client; returns `nil` for one that may be.
  func ownPage(_ request: WebRequest) async -> WebResponse? {
    switch request.path {
    case "/healthz":
      var response = text("alive\n")
      response.headers["LifeSignal-Version"] = Version.current
      return response
    case "/readyz":
      let ready = await readiness.latest()
      let isReady = ready.map { $0.isWritable && $0.isWatched } ?? false
      // The failing channels reveal nothing about anyone. The reason might, and is shown by
      // `check`.
      let failing = ready?.problem?.kinds.map(\.rawValue).sorted().joinedAsList
      let reason =
        ready == nil
        ? "the store can't be written"
        : !isReady
          ? "no monitor has been seen for a minute"
          : failing.map { "ready, but nothing can be sent by \($0)" } ?? "ready"
      return text(reason + "\n", status: isReady ? 200 : 503)
    case "/metrics":
      let isHere = request.client == "127.0.0.1" || request.client == ClientAddress.loopback
      let isTrusted =
        metricsToken.map {
          Call.token(of: request).map { SecureToken(text: $0).digest }
            == SecureToken(text: $0).digest
        }
        ?? isHere
      guard isTrusted else { return refusal(ServerRefusal(404, "There is nothing here.")) }
      let statistics = try? await store.administration.statistics()
      return text(
        metrics.text([
          ("waiting_devices", "Devices that wait for changes.", hub.count),
          ("accounts", "Accounts.", statistics?.accounts ?? 0),
          ("sessions", "Sessions.", statistics?.sessions ?? 0),
          ("alerts_on", "Alerts that are on, without silent ones.", statistics?.alertsOn ?? 0),
          ("waiting_deliveries", "Messages not sent yet.", statistics?.waitingDeliveries ?? 0),
          ("file_bytes", "Bytes of documents and pictures.", statistics?.fileBytes ?? 0),
        ]))
    case _ where ["/a/", "/d/", "/c/"].contains(request.path.prefix(3)):
      return await pages.answer(request)
    default: return nil
    }
  }

  private func text(_ text: String, status: Int = 200) -> WebResponse {
    WebResponse(status: status, data: Data(text.utf8), type: "text/plain; charset=utf-8")
  }
}
