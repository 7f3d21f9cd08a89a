import Clients
import Delivery
import Domain
import Monitor
import Web

extension StandbyCarrier {
  /// Over the network.
  init(_ sender: StandbySender) {
    self.init(
      beat: { await sender.beat($0, isFailing: $1).reason },
      move: { await sender.move($0, $1).reason })
  }
}

extension LinkService {
  /// Answers by the store's codes.
  init(_ client: ResponseClient) {
    @Sendable func answer(
      _ ask: @Sendable (String) async throws(ClientError) -> Response, _ code: String
    ) async -> Answer {
      do throws(ClientError) {
        let response = try await ask(code)
        let purpose: Invitation.Purpose =
          switch response.kind {
          case .acknowledged: .acknowledge
          case .declined: .decline
          }
        return .done(Invitation(purpose: purpose, name: response.person))
      } catch .responseCodeUnknown, .alertEnded, .tooManyCodes {
        return .unknown
      } catch {
        return .unavailable
      }
    }
    self.init(
      look: { await answer(client.look, $0) }, respond: { await answer(client.press, $0) })
  }
}
