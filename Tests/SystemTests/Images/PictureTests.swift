import Clients
import FoundationEssentials
import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct PictureTests {
  private func decode(_ data: Data) async throws(PictureError) -> PixelPicture {
    try await PictureClient.live.decode(data)
  }

  /// The colours of a picture, row by row, as letters: `r`, `g`, `b`, black `k` and white `w`.
  private func letters(_ picture: PixelPicture, step: Int = 1) -> [String] {
    stride(from: step / 2, to: picture.height, by: step).map { y in
      String(
        stride(from: step / 2, to: picture.width, by: step).map { x in
          let pixel = picture.rgba.dropFirst(4 * (y * picture.width + x)).prefix(3)
            .map { $0 > 127 }
          return switch pixel {
          case [true, false, false]: "r"
          case [false, true, false]: "g"
          case [false, false, true]: "b"
          case [false, false, false]: "k"
          default: "w"
          }
        })
    }
  }

  @Test("Colour and grey PNG pictures are decoded")
  func png() async throws {
    let picture = try await decode(Sample.png)
    #expect(picture.width == 3 && picture.height == 2)
    #expect(letters(picture) == ["rgb", "rgb"])
    #expect(Array(picture.rgba.suffix(4)) == [0, 0, 255, 128])
    #expect(letters(try await decode(Sample.greyPNG)) == ["kw"])
  }

  @Test("Colour, grey and progressive JPEG pictures are decoded")
  func jpeg() async throws {
    let picture = try await decode(Sample.jpeg)
    #expect(picture.width == 32 && picture.height == 16)
    #expect(letters(picture, step: 8) == ["rrgg", "bbbb"])
    #expect(letters(try await decode(Sample.greyJPEG), step: 8) == ["kkww", "kkww"])
    #expect(letters(try await decode(Sample.progressiveJPEG), step: 8) == ["rg", "bb"])
  }

  @Test(
    "A JPEG picture is turned upright by its EXIF orientation", arguments: [true, false],
    [
      (1, ["rrgg", "bbbb"]), (2, ["ggrr", "bbbb"]), (3, ["bbbb", "ggrr"]), (4, ["bbbb", "rrgg"]),
      (5, ["rb", "rb", "gb", "gb"]), (6, ["br", "br", "bg", "bg"]), (7, ["bg", "bg", "br", "br"]),
      (8, ["gb", "gb", "rb", "rb"]), (0, ["rrgg", "bbbb"]), (9, ["rrgg", "bbbb"]),
    ] as [(UInt8, [String])])
  func orientation(_ isLittleEndian: Bool, _ value: (exif: UInt8, rows: [String])) async throws {
    let data = Sample.jpeg.oriented(value.exif, isLittleEndian: isLittleEndian)
    #expect(letters(try await decode(data), step: 8) == value.rows)
  }

  @Test("A large picture is scaled down in proportion, each pixel the mean of many")
  func scaled() {
    let wide = Pixels(
      width: 400, height: 200,
      rgba: (0..<200).flatMap { _ in
        (0..<400).flatMap { $0 % 2 == 0 ? [200, 0, 0, 255] : [0, 0, 0, 255] as [UInt8] }
      })
    let small = wide.scaled(toFit: 160)
    #expect(small.width == 160 && small.height == 80)
    #expect(small.rgba.count == 4 * 160 * 80)
    #expect(
      stride(from: 0, to: small.rgba.count, by: 4).allSatisfy {
        (66...134).contains(small.rgba[$0])
      })
    #expect(wide.scaled(toFit: 400) == wide)
    // Fully transparent pixels don't contribute their colour.
    let veil = Pixels(width: 2, height: 1, rgba: [255, 0, 0, 255, 0, 255, 0, 0])
    #expect(veil.scaled(toFit: 1).rgba == [255, 0, 0, 127])
    let line = Pixels(width: 500, height: 1, rgba: [UInt8](repeating: 255, count: 2_000))
    #expect(line.scaled(toFit: 160).height == 1)
  }

  @Test("Empty, GIF, PDF and SVG files are refused as pictures")
  func unknown() async {
    for data in [Data(), Data("GIF89a".utf8), Data("%PDF-1.7".utf8), Data("<svg/>".utf8)] {
      await #expect(throws: PictureError.unknownFormat) { try await decode(data) }
    }
  }

  @Test("A JPEG picture in print colours is refused, not shown in wrong colours")
  func press() async {
    await #expect(throws: PictureError.damaged) { try await decode(Sample.pressJPEG) }
  }

  @Test("A picture with too many pixels is refused before it is decoded")
  func tooManyPixels() async {
    var png = Sample.png
    png.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    // The checksum of the header.
    png.replaceSubrange(29..<33, with: [0xB6, 0x05, 0xD9, 0x50])
    await #expect(throws: PictureError.tooManyPixels) { try await decode(png) }
    let start = Sample.jpeg.firstRange(of: Data([0xFF, 0xC0]))!.lowerBound
    var jpeg = Sample.jpeg
    jpeg.replaceSubrange(start + 5..<start + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    await #expect(throws: PictureError.tooManyPixels) { try await decode(jpeg) }
  }

  @Test("A corrupted picture is decoded, to at most 160 × 160 pixels, or refused")
  func hostile() async {
    var random = SystemRandomNumberGenerator()
    var pictures = 0
    for sample in [Sample.jpeg, Sample.progressiveJPEG, Sample.greyJPEG, Sample.png] {
      for _ in 0..<300 {
        var data = sample
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          data[Int.random(in: 8..<data.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          data = data.prefix(Int.random(in: 8...data.count, using: &random))
        }
        guard let picture = try? await decode(data) else { continue }
        pictures += 1
        #expect(picture.width <= 160 && picture.height <= 160)
      }
    }
    #expect(pictures > 0)
  }
}
