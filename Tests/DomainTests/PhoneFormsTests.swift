import Domain
import Testing

@Suite struct PhoneFormsTests {
  @Test(
    "ONB-2: phone numbers as people write and copy them are stored in international form",
    arguments: [
      // A zero or another digit that is dialled within the country only.
      ("+49 (0)30 1234567", "+49301234567"), ("+44 (0)20 7946 0018", "+442079460018"),
      ("+44(0)7700 900123", "+447700900123"), ("0044 (0) 20 7946 0018", "+442079460018"),
      ("(+44) 020 7946 0018", "+442079460018"), ("(0044)(0)20 7946 0018", "+442079460018"),
      ("+49 0151 23456789", "+4915123456789"), ("+32 (0)475/12.34.56", "+32475123456"),
      ("+81-090-1234-5678", "+819012345678"), ("+66 (0)81 234 5678", "+66812345678"),
      ("+36 06 20 123 4567", "+36201234567"), ("+36 (06) 1 234 5678", "+3612345678"),
      ("+1 1 415 555 2671", "+14155552671"), ("+1 (0)212 555 0123", "+12125550123"),
      ("+52 1 55 1234 5678", "+525512345678"), ("+370 8 612 34567", "+37061234567"),
      ("+375 8 017 234 56 78", "+375172345678"), ("+48 (0)22 123 45 67", "+48221234567"),
      // Numbers that keep their zero.
      ("+39 06 698 12345", "+390669812345"), ("+39 (0)6 698 12345", "+390669812345"),
      ("+378 0549 123456", "+3780549123456"), ("+225 07 12 34 56 78", "+2250712345678"),
      ("+225 (0)7 12 34 56 78", "+2250712345678"), ("+250 078 123 4567", "+250781234567"),
      // Prefixes, and area codes in brackets.
      ("0049 (30) 123-456", "+4930123456"), ("001 415 555 2671", "+14155552671"),
      ("011 44 20 7946 0018", "+442079460018"), ("+1 (415) 555-2671", "+14155552671"),
      ("+7 (812) 123-45-67", "+78121234567"), ("+290 8999", "+2908999"),
      // Marks that nobody sees, and signs of other keyboards.
      ("\u{202D}+49 30 1234567\u{202C}", "+49301234567"),
      ("\u{2068}+49 30 1234567\u{2069}", "+49301234567"),
      ("\u{200E}+49\u{A0}30\u{202F}1234567\u{200B}", "+49301234567"),
      ("+49\u{2011}30\u{2013}1234567\u{AD}", "+49301234567"),
      ("\u{FF0B}\u{FF14}\u{FF19}\u{3000}\u{FF08}\u{FF10}\u{FF09}30 1234567", "+49301234567"),
      ("+٤٩ ٣٠ ١٢٣٤٥٦٧", "+49301234567"), ("+1\u{FE0F}\u{FE0D}-415-555-2671", "+14155552671"),
      // Links.
      ("tel:+49-30-1234567", "+49301234567"), ("TEL:%2B49%2030%201234567", "+49301234567"),
      ("tel:+49-30-1234567;phone-context=example.com", "+49301234567"),
    ] as [(String, String)])
  func right(text: String, stored: String) throws {
    #expect(try ProfileRules.phone(text) == stored)
    #expect(try ProfileRules.phone(stored) == stored, "what is stored stays as it is")
  }

  @Test(
    "ONB-2: a phone number that is ambiguous, national or of a wrong length is refused",
    arguments: [
      // Landline or mobile?
      "+39 (0)347 1234567", "+39 0347 1234567",
      // With 15 it's a mobile number, which has another form abroad.
      "+54 (0)11 15-1234-5678", "+54 11 15 1234 5678",
      // An area code of Russia can begin with 8.
      "+7 (8) 495 123-45-67",
      // Neither begins with a zero, and somebody added one.
      "+34 091 123 45 67", "+36 (0)6 1 234 5678", "+44 20 (0) 7946 0018", "+49 (30) (0) 1234567",
      // Australia's prefix, or a number of North America.
      "0011 64 9 123 4567",
      "0114 220 7946", "12345678", "030 1234567", "49 30 1234567", "٤٤٤٤٤٤٤٤٤", "+1", "+1234567",
      "+1234567890123456", "+47 123 456 789 012",
    ])
  func doubtful(text: String) {
    #expect(throws: ValidationError.self) { try ProfileRules.phone(text) }
  }

  @Test(
    "ONB-2: the error of a refused phone number names the wrong character, extension or length",
    arguments: [
      ("+44x20", ValidationError.phoneCharacter("x")), ("++4420718387", .phoneCharacter("+")),
      ("+44 20 7946 0018 ext 5", .phoneCharacter("e")), ("+49 O30 1234567", .phoneCharacter("O")),
      ("+49 30 1234567, +49 30 7654321", .phoneCharacter(",")),
      ("+49 30 1234567 / +49 30 7654321", .phoneCharacter("+")),
      ("\u{202E}+49 30 1234567", .phoneCharacter("U+202E")),
      ("+49 30\n1234567", .phoneCharacter("U+A")), ("+49 (30 1234567", .phoneCharacter("(")),
      ("+49 30 1234567/68", .phoneExtension), ("tel:+49-30-1234567;ext=12", .phoneExtension),
      ("+47 123 456 789", .phoneLength("47")), ("+44 (0)20 7946", .phonePrefix),
      ("12345678", .phone),
    ])
  func reason(text: String, error: ValidationError) {
    #expect(throws: error) { try ProfileRules.phone(text) }
  }
}
