import Clients
import Domain
import FoundationEssentials
import Testing

/// The errors of a service that takes payments, as a sample for clients of services: the code in the
/// body decides, whatever the status says. Any other answer has the error of its status.
private enum PaymentError: AppError {
  case cardDeclined
  case insufficientFunds
  case network(NetworkError)

  init?(_ reply: HTTPReply, now: Date) {
    let answer = ServiceAnswer(Array(reply.body), isWhole: reply.isWhole)
    switch answer[["error", "code"]]?.plain {
    case "card_declined": self = .cardDeclined
    case "insufficient_funds": self = .insufficientFunds
    case nil where (200...299).contains(reply.status): return nil
    default:
      let wait = reply.headers["retry-after"].flatMap { RetryAfter.span($0, now: now) }
      self = .network(ErrorTransformer.networkError(status: reply.status, retryAfter: wait))
    }
  }

  var text: ErrorText {
    switch self {
    case .cardDeclined: ErrorText("CARD_DECLINED", "The card was declined.")
    case .insufficientFunds: ErrorText("INSUFFICIENT_FUNDS", "The account hasn't enough money.")
    case .network(let error): error.text
    }
  }
}

@Suite struct ServiceErrorSampleTests {
  @Test(
    "The error code in a service's answer decides; without a known code, the status decides",
    arguments: [
      (402, #"{"error": {"code": "card_declined"}}"#, "CARD_DECLINED"),
      (200, #"{"error": {"code": "insufficient_funds"}}"#, "INSUFFICIENT_FUNDS"),
      (200, #"{"receipt": 7}"#, nil),
      (200, #"{"error": {"code": "new_one"}}"#, "UNEXPECTED_ANSWER"),
      (500, "<html>", "SERVER_ERROR"), (429, "", "RATE_LIMITED"), (402, "{}", "UNEXPECTED_ANSWER"),
    ] as [(Int, String, String?)])
  func payment(status: Int, body: String, code: String?) {
    let reply = HTTPReply(
      status: status, headers: ["retry-after": "30"], body: Data(body.utf8))
    let error = PaymentError(reply, now: Date(timeIntervalSince1970: 0))
    #expect(error?.errorCode == code)
    #expect(error?.text.retryAfter == (status == 429 ? .seconds(30) : nil))
  }
}
