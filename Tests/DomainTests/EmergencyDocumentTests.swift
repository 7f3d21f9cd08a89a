import Domain
import FoundationEssentials
import Testing

@Suite struct EmergencyDocumentTests {
  @Test("DOC-1: a document can be opened always, or only while an alert is on")
  func access() {
    #expect(EmergencyDocument.Access.always.isOpen(isAlertOn: false))
    #expect(EmergencyDocument.Access.always.isOpen(isAlertOn: true))
    #expect(!EmergencyDocument.Access.duringAlert.isOpen(isAlertOn: false))
    #expect(EmergencyDocument.Access.duringAlert.isOpen(isAlertOn: true))
  }

  @Test(
    "The size of a document is shown in B, kB or MB",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1 kB"), (48_499, "48 kB"), (999_499, "999 kB"),
      (999_500, "1.0 MB"), (3_249_999, "3.2 MB"), (10_000_000, "10.0 MB"),
    ])
  func sizes(_ size: Int, _ text: String) {
    let document = EmergencyDocument(
      id: UUID(), name: "a", contentType: .text, size: size, access: .always, addedAt: Date())
    #expect(document.sizeText == text)
  }

  @Test("DOC-1: a 21st document, or a file over 10 MB, is refused")
  func limits() throws {
    try DocumentRules.checkCount(19)
    #expect(throws: ValidationError.documentCount) { try DocumentRules.checkCount(20) }
    try DocumentRules.checkSize(10_000_000)
    #expect(throws: ValidationError.fileSize) { try DocumentRules.checkSize(10_000_001) }
  }

  @Test("DOC-1: renaming a document to an empty name is refused")
  func names() throws {
    #expect(try DocumentRules.name("  Card.pdf ") == "Card.pdf")
    #expect(throws: ValidationError.documentName) { try DocumentRules.name(" \n\t") }
  }

  @Test("A document whose name is taken, in any case, gets the next free number")
  func freeNames() {
    #expect(DocumentRules.freeName("card.pdf", besides: []) == "card.pdf")
    #expect(DocumentRules.freeName("card.pdf", besides: ["Card.PDF"]) == "card (2).pdf")
    #expect(
      DocumentRules.freeName("card.pdf", besides: ["card.pdf", "card (2).pdf"]) == "card (3).pdf")
  }

  @Test(
    "The content of a file decides whether its type is PNG, JPEG, PDF, text or binary",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], ContentType.png),
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), (Array("%PDF-1.7\n".utf8), .pdf),
      (Array("Ring the bell twice, größte Tür.\r\n".utf8), .text), ([], .text),
      ([0x1B, 0x5B, 0x32, 0x4A], .binary), ([0xC3, 0x28], .binary), ([0, 1, 2], .binary),
    ] as [([UInt8], ContentType)])
  func contentTypes(_ bytes: [UInt8], _ type: ContentType) {
    #expect(ContentType(of: Data(bytes)) == type)
  }

  @Test("A long text counts as text even if its examined part ends within a character")
  func longText() {
    let text = "x" + String(repeating: "é", count: 5_000)
    #expect(ContentType(of: Data(text.utf8)) == .text)
  }
}

@Suite struct FileNameTests {
  @Test(
    "DOC-1: slashes in file names become hyphens; leading dots and hidden characters are removed",
    arguments: [
      ("Medical card.pdf", "Medical card.pdf"),
      ("../../etc/passwd", "-..-etc-passwd"), ("C:\\windows\\a.exe", "C:-windows-a.exe"),
      (".bashrc", "bashrc"), (" . .. hidden", "hidden"), ("..", "document"), (".", "document"),
      ("", "document"), ("\u{0}\u{1B}[2Jx\n.txt\u{7F}", "[2Jx.txt"),
      ("photo\u{202E}gpj.exe", "photogpj.exe"), ("a\u{2066}b\u{2069}\u{200F}c", "abc"),
      ("zero\u{200B}width\u{FEFF}", "zerowidth"), ("line\u{2028}break", "linebreak"),
      ("👩‍🚒.png", "👩‍🚒.png"), ("نقشه\u{200C}ها.pdf", "نقشه\u{200C}ها.pdf"), ("/", "-"),
      ("Ärztin.PDF  ", "Ärztin.PDF"),
    ])
  func cleaned(_ text: String, _ name: String) {
    #expect(FileName.cleaned(text) == name)
  }

  @Test("DOC-1: a file name is cut to 255 bytes and keeps its extension")
  func length() {
    let name = FileName.cleaned(String(repeating: "é", count: 300) + ".pdf")
    #expect(name == String(repeating: "é", count: 125) + ".pdf")
    #expect(FileName.cleaned(String(repeating: "x", count: 10_000)).utf8.count == 255)
    // A single character that is longer than the limit.
    let stack = "a" + String(repeating: "\u{301}", count: 400)
    #expect(FileName.cleaned(stack + ".png") == "document.png")
  }

  @Test("The number of a repeated file name comes before the extension and within 255 bytes")
  func numbers() {
    #expect(
      Array(FileName.numbered("card.pdf").prefix(3)) == [
        "card.pdf", "card (2).pdf", "card (3).pdf",
      ])
    #expect(Array(FileName.numbered("notes").prefix(2)) == ["notes", "notes (2)"])
    let long = FileName.cleaned(String(repeating: "x", count: 400) + ".pdf")
    for name in FileName.numbered(long).prefix(12) {
      #expect(name.utf8.count <= 255 && name.hasSuffix(".pdf"))
    }
  }

  @Test("Cleaning a random text gives a safe file name, and cleaning again changes nothing")
  func anything() {
    var random = SystemRandomNumberGenerator()
    let parts: [String] = [
      "/", "\\", ".", "..", "\u{0}", "\u{202E}", "\u{2067}", "a", "é", "👩‍🚒", "\u{301}", " ", "\n",
      "\u{1B}", ".pdf", "\u{E000}", "\u{200D}", String(repeating: "界", count: 90),
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in parts.randomElement(using: &random)! }.joined()
      let name = FileName.cleaned(text)
      #expect(!name.isEmpty && name.utf8.count <= 255, "\(text.debugDescription)")
      #expect(name != "." && name != ".." && !name.hasPrefix("."), "\(text.debugDescription)")
      #expect(
        !name.unicodeScalars.contains {
          "/\\\u{0}\u{1B}\n\u{202E}\u{2067}".unicodeScalars.contains($0)
        })
      #expect(FileName.cleaned(name) == name, "\(text.debugDescription)")
    }
  }
}
