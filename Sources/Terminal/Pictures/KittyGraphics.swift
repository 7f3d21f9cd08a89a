/// The commands of the kitty graphics protocol used here. All of them suppress the terminal's
/// answer.
enum KittyGraphics {
  /// The maximum number of Base64 bytes in one sequence.
  private static let chunk = 4_096

  /// Returns the commands that transmit the pixels of a picture.
  static func transmit(_ pixels: PixelBuffer, id: Int) -> [UInt8] {
    let data = Array(Base64.encode(pixels.bytes).utf8)
    var output: [UInt8] = []
    for start in stride(from: 0, to: data.count, by: chunk) {
      let end = min(start + chunk, data.count)
      let more = end < data.count ? 1 : 0
      let keys =
        start == 0
        ? "a=t,f=32,s=\(pixels.width),v=\(pixels.height),i=\(id),q=2,m=\(more)" : "m=\(more)"
      output += Array("\u{1B}_G\(keys);".utf8)
      output += data[start..<end]
      output += Array("\u{1B}\\".utf8)
    }
    return output
  }

  /// Returns the command that shows a transmitted picture at the cursor, scaled to a number of
  /// cells, without moving the cursor.
  static func place(id: Int, size: Size) -> [UInt8] {
    Array("\u{1B}_Ga=p,i=\(id),p=1,c=\(size.columns),r=\(size.rows),C=1,q=2\u{1B}\\".utf8)
  }

  /// Returns the command that deletes a picture and its pixels.
  static func delete(id: Int) -> [UInt8] {
    Array("\u{1B}_Ga=d,d=I,i=\(id),q=2\u{1B}\\".utf8)
  }

  /// The command that deletes all pictures and their pixels.
  static let deleteAll = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"
}
