/// Names in lower case and without accents, as far as Unicode takes letters apart: what the plain
/// ``NameOrder`` compares.
enum PlainLetters {
  /// Appends a name's letters as UTF-8.
  ///
  /// A list of thousands of names is sorted at every start, so that what most names consist of takes
  /// a short way.
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

  /// The letter for one that neither takes marks from the next one nor gives any; `nil` for all that
  /// needs a closer look.
  private static func simple(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x41...0x5A: Unicode.Scalar(scalar.value | 0x20)
    case ..<0x80: scalar
    case ..<latinEnd: latin[Int(scalar.value)]
    // Han has neither case nor marks.
    case 0x4E00...0x9FFF: scalar
    default: nil
    }
  }

  /// By characters, of whose scalars all but the first are marks.
  private static func appendSlowly(_ name: String, to bytes: inout [UInt8]) {
    for character in name.lowercased() {
      guard let first = character.unicodeScalars.first else { continue }
      bytes.append(contentsOf: UTF8.encode(letters[first] ?? first)!)
    }
  }

  /// The first scalar behind Latin with its extensions A and B.
  private static let latinEnd: UInt32 = 0x250

  private static let latin: [Unicode.Scalar] = (0..<latinEnd).map { value in
    let scalar = Unicode.Scalar(value)!
    let small = scalar.properties.lowercaseMapping.unicodeScalars.first!
    return letters[small] ?? small
  }

  /// The small letters of Latin, Greek and Cyrillic that have marks, by what they are without.
  private static let letters: [Unicode.Scalar: Unicode.Scalar] = {
    var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (letter, withMarks) in rows {
      for scalar in withMarks.unicodeScalars { letters[scalar] = letter }
    }
    return letters
  }()

  // The first of the canonical decomposition; a test compares them with Foundation's.
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
