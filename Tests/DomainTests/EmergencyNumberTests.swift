import Testing

@testable import Domain

struct EmergencyNumberTests {
  @Test(
    "ALT-7: the emergency number follows from the phone number's country, and is 112 otherwise",
    arguments: [
      ("+442071838750", "999 or 112"), ("+12025550100", "911"), ("+61491570006", "000"),
      ("+4930123456", "112"), ("+81312345678", "119 or 110"), ("+85223456789", "999"),
      ("+5511999999999", "192 or 190"), ("+593212345678", "911"),
      ("030 123456", "112"), ("", "112"), ("+", "112"),
    ])
  func number(phone: String, number: String) {
    #expect(EmergencyNumber.of(phone: phone) == number)
  }

  @Test func noPhone() { #expect(EmergencyNumber.of(phone: nil) == "112") }
}
