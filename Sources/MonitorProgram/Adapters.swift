import Delivery
import Domain
import Monitor

extension StandbyTransport {
  /// Creates a transport that works over the network.
  init(_ sender: StandbySender) {
    self.init(
      beat: { await sender.beat($0, isFailing: $1, mayReachPrivate: $2).reason },
      updateScheduledMessage: { await sender.move($0, $1).reason })
  }
}
