/// Names in lower case and without accents, as far as Unicode separates accents from letters. The
/// plain ``NameOrder`` compares them.
enum PlainLetters {
  /// Appends a name's letters as UTF-8.
  ///
  /// A list of thousands of names is sorted at every start, so the letters that most names consist
  /// of take a fast path.
  static func append(_ name: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    for scalar in name.unicodeScalars {
      guard let letter = simple(scalar) else {
        bytes.removeSubrange(start...)
        return appendSlowly(name, to: &bytes)
      }
      if letter.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: letter.value))
      } else {
        bytes.append(contentsOf: UTF8.encode(letter)!)
      }
    }
  }

  /// Returns the letter of a scalar that doesn't combine with its neighbours, or `nil` for one that
  /// needs a closer look.
  private static func simple(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x41...0x5A: Unicode.Scalar(scalar.value | 0x20)
    case ..<0x80: scalar
    case ..<latinEnd: latin[Int(scalar.value)]
    // Han characters have neither case nor accents.
    case 0x4E00...0x9FFF: scalar
    default: nil
    }
  }

  /// Appends a name character by character; after the first scalar, a character has only marks.
  private static func appendSlowly(_ name: String, to bytes: inout [UInt8]) {
    for character in name.lowercased() {
      guard let first = character.unicodeScalars.first else { continue }
      bytes.append(contentsOf: UTF8.encode(letters[first] ?? first)!)
    }
  }

  /// The first scalar after Latin with its extensions A and B.
  private static let latinEnd: UInt32 = 0x250

  private static let latin: [Unicode.Scalar] = (0..<latinEnd).map { value in
    let scalar = Unicode.Scalar(value)!
    let small = scalar.properties.lowercaseMapping.unicodeScalars.first!
    return letters[small] ?? small
  }

  /// The letter without accents for each small letter of Latin, Greek and Cyrillic that has some.
  private static let letters: [Unicode.Scalar: Unicode.Scalar] = {
    var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (letter, withMarks) in rows {
      for scalar in withMarks.unicodeScalars { letters[scalar] = letter }
    }
    return letters
  }()

  // The first scalar of the canonical decomposition; a test compares the rows with Foundation's.
  private static let rows: [(Unicode.Scalar, String)] = [
    ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"),
    ("b", "ḃḅḇ"),
    ("c", "çćĉċčḉ"),
    ("d", "ďḋḍḏḑḓ"),
    ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"),
    ("f", "ḟ"),
    ("g", "ĝğġģǧǵḡ"),
    ("h", "ĥȟḣḥḧḩḫẖ"),
    ("i", "ìíîïĩīĭįǐȉȋḭḯỉị"),
    ("j", "ĵǰ"),
    ("k", "ķǩḱḳḵ"),
    ("l", "ĺļľḷḹḻḽ"),
    ("m", "ḿṁṃ"),
    ("n", "ñńņňǹṅṇṉṋ"),
    ("o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"),
    ("p", "ṕṗ"),
    ("r", "ŕŗřȑȓṙṛṝṟ"),
    ("s", "śŝşšșṡṣṥṧṩ"),
    ("t", "ţťțṫṭṯṱẗ"),
    ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
    ("v", "ṽṿ"),
    ("w", "ŵẁẃẅẇẉẘ"),
    ("x", "ẋẍ"),
    ("y", "ýÿŷȳẏẙỳỵỷỹ"),
    ("z", "źżžẑẓẕ"),
    ("æ", "ǣǽ"),
    ("ø", "ǿ"),
    ("ſ", "ẛ"),
    ("ʒ", "ǯ"),
    ("α", "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ"),
    ("ε", "έἐἑἒἓἔἕὲέ"),
    ("η", "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ"),
    ("ι", "ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ"),
    ("ο", "όὀὁὂὃὄὅὸό"),
    ("ρ", "ῤῥ"),
    ("υ", "ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ"),
    ("ω", "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ"),
    ("а", "ӑӓ"),
    ("г", "ѓ"),
    ("е", "ѐёӗ"),
    ("ж", "ӂӝ"),
    ("з", "ӟ"),
    ("и", "йѝӣӥ"),
    ("к", "ќ"),
    ("о", "ӧ"),
    ("у", "ўӯӱӳ"),
    ("ч", "ӵ"),
    ("ы", "ӹ"),
    ("э", "ӭ"),
    ("і", "ї"),
    ("ѵ", "ѷ"),
    ("ә", "ӛ"),
    ("ө", "ӫ"),
  ]
}

extension String {
  /// The text as people type it to find it: in lower case, without accents, and with the letters
  /// that many keyboards lack spelled out.
  public var searchable: String {
    var bytes: [UInt8] = []
    PlainLetters.append(self, to: &bytes)
    let plain = String(decoding: bytes, as: UTF8.self)
    guard !plain.utf8.allSatisfy({ $0 < 0x80 }) else { return plain }
    var spelled = ""
    for scalar in plain.unicodeScalars {
      spelled += PlainLetters.spellings[scalar] ?? String(Character(scalar))
    }
    return spelled
  }
}

extension PlainLetters {
  fileprivate static let spellings: [Unicode.Scalar: String] = [
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "ß": "ss", "æ": "ae",
    "œ": "oe", "þ": "th",
  ]
}
