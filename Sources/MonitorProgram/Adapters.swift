import Delivery
import Domain
import Monitor

extension StandbyCarrier {
  /// Creates a carrier that works over the network.
  init(_ sender: StandbySender) {
    self.init(
      beat: { await sender.beat($0, isFailing: $1).reason },
      move: { await sender.move($0, $1).reason })
  }
}
