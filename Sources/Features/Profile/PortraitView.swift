import Clients
import Domain
import Terminal

/// A person's picture, or their initials.
struct PortraitView: View {
  let picture: PixelPicture?
  let name: String

  private static let size = Size(columns: 12, rows: 6)

  var body: some View {
    if let picture {
      Picture(PixelBuffer(picture), label: "Picture of \(name)")
        .frame(width: Self.size.columns, height: Self.size.rows, alignment: .topTrailing)
    } else {
      Text(name.initials).bold().foreground(.accent)
        .frame(width: 6, height: 1, alignment: .center)
        .border()
        .accessibilityLabel("")
    }
  }
}

extension PixelBuffer {
  init(_ picture: PixelPicture) {
    self.init(width: picture.width, height: picture.height, rgba: Array(picture.rgba))
  }
}

extension String {
  /// The first letters of the first and the last word, in capitals.
  var initials: String {
    let words = split(whereSeparator: \.isWhitespace)
    let letters = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first }
    return letters.map { $0.uppercased() }.joined()
  }
}
