import Domain
import Testing

@Suite struct PhoneNumberTests {
  @Test(
    "ONB-2: a phone number is shown in groups, the country code first",
    arguments: [
      ("+442071838750", "+44 20 7183 8750"),
      ("+447700900123", "+44 7700 900123"),
      ("+441632960961", "+44 1632 960961"),
      ("+441214960123", "+44 121 496 0123"),
      ("+441134960123", "+44 113 496 0123"),
      ("+448081570192", "+44 808 157 0192"),
      ("+44800123456", "+44 800 123 456"),
      ("+12125550123", "+1 212 555 0123"),
      ("+79161234567", "+7 916 123 4567"),
      ("+353861234567", "+353 861 234 567"),
      ("+4915112345678", "+49 151 1234 5678"),
      ("+35312345678", "+353 1234 5678"),
      ("+4712345678", "+47 1234 5678"),
      ("+29012345", "+290 12 345"),
      ("+493012345678901", "+49 301 234 567 8901"),
    ])
  func groups(stored: String, shown: String) {
    #expect(PhoneNumber.grouped(stored) == shown)
  }

  @Test(
    "ONB-2: a text that isn't an international phone number is shown unchanged",
    arguments: ["", "+", "112", "+1234567"])
  func others(text: String) { #expect(PhoneNumber.grouped(text) == text) }
}
