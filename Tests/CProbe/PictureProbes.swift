import Clients
import Composable
import FoundationEssentials
import Glibc
import Images
import TestSupport

private let link = "lifesignal://add/6f1c2d80-0000-4000-8000-00000000beef"

/// The QR code of a text with its quiet zone, at four pixels per module. It is small enough not to
/// be scaled down as a picture.
private func code(_ text: String) async throws -> [[Bool]] {
  let modules = try await QRCodeClient.live.modules(text)
  let side = (modules.count + 8) * 4
  return (0..<side).map { y in
    (0..<side).map { x in
      let (row, column) = (y / 4 - 4, x / 4 - 4)
      return modules.indices.contains(row) && modules.indices.contains(column)
        && modules[row][column]
    }
  }
}

/// Exercises libpng and libjpeg.
@MainActor func probePictures() async throws {
  let pixels = try await code(link)
  let rgba = Data(pixels.joined().flatMap { $0 ? [0, 0, 0, 255] : [255, 255, 255, 255] })
  let picture = PixelPicture(width: pixels.count, height: pixels.count, rgba: rgba)
  for kind in PNGFile.allKinds {
    let data = Data(kind.bytes(pixels))
    let result = await Result { () async throws(PictureError) in
      try await PictureClient.live.decode(data)
    }
    // Since the fix for CVE-2025-65018, libpng mixes up the rows of interlaced 16-bit images.
    let isMixed = kind.isInterlaced && kind.depth == 16
    let isRight =
      isMixed ? (try? result.get())?.height == picture.height : result == .success(picture)
    Report.check(isRight, "\(kind) as a picture: \(result.outcome)")
  }

  let jpeg = Array(Data(base64Encoded: jpegText)!)
  let result = await Result { () async throws(PictureError) in
    try await PictureClient.live.decode(Data(jpeg))
  }
  let colours = [(3, 3), (28, 3), (3, 12), (28, 12)].map { x, y in
    (try? result.get()).map { picture in
      Array(picture.rgba.dropFirst(4 * (y * picture.width + x)).prefix(3).map { $0 > 127 })
    }
  }
  Report.check(
    colours == [[true, false, false], [false, true, false]]
      + Array(
        repeating: [false, false, true], count: 2),
    "the JPEG picture: \(result.outcome)")

  // Damaged files either decode or don't, but always with the same result.
  var random = SplitMix64(seed: 7)
  let samples =
    [jpeg]
    + [
      PNGFile(type: 0, depth: 8), PNGFile(type: 3, depth: 4, isInterlaced: true),
      PNGFile(type: 6, depth: 16, textLength: 70_000),
    ].map { $0.bytes(pixels) }
  for round in 0..<1_200 {
    let data = Data(samples[round % samples.count].damaged(by: &random))
    let results = await [
      Result { () async throws(PictureError) in try await PictureClient.live.decode(data) },
      Result { () async throws(PictureError) in try await PictureClient.live.decode(data) },
    ]
    Report.check(
      results[0] == results[1],
      "damaged picture \(round): \(results[0].outcome), then \(results[1].outcome)")
  }
}

/// Exercises libqrencode, libpng and zxing-cpp with QR codes in both directions.
@MainActor func probeQRCodes() async throws {
  let pixels = try await code(link)
  for kind in PNGFile.allKinds {
    let data = Data(kind.bytes(pixels))
    let result = await Result { () async throws(QRCodeError) in
      try await QRCodeClient.live.text(data)
    }
    Report.check(result == .success(link), "\(kind) as a code: \(result)")
  }
  let folder = try TemporaryFolder()
  for (number, text) in [link, "x", "ä👩‍🚀", String(repeating: "LifeSignal ", count: 200)].enumerated()
  {
    let path = folder.path + "/\(number).png"
    let result = await Result { () async throws(QRCodeError) in
      try await QRCodeClient.live.save(QRCodeClient.live.modules(text), path)
      return try await QRCodeClient.live.text(FileManager.default.contents(atPath: path) ?? Data())
    }
    Report.check(result == .success(text), "our own picture of “\(text.prefix(20))”: \(result)")
  }
  var random = SplitMix64(seed: 8)
  let sample = PNGFile(type: 0, depth: 8).bytes(pixels)
  for round in 0..<300 {
    let data = Data(sample.damaged(by: &random))
    let results = await [
      Result { () async throws(QRCodeError) in try await QRCodeClient.live.text(data) },
      Result { () async throws(QRCodeError) in try await QRCodeClient.live.text(data) },
    ]
    Report.check(
      results[0] == results[1], "damaged code \(round): \(results[0]), then \(results[1])")
  }
}

extension Result where Success == PixelPicture, Failure == PictureError {
  /// The outcome without the pixels.
  fileprivate var outcome: String {
    switch self {
    case .success(let picture): "\(picture.width)×\(picture.height)"
    case .failure(let error): "\(error)"
    }
  }
}

/// 32 × 16: red and green above blue.
private let jpegText =
  """
  /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERX\
  RTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
  Y2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQACADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAA\
  AAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk\
  M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKT\
  lJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QA\
  HwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdh\
  cRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp\
  anN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk\
  5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDForHor1P9Xf8Ap7+H/BPZ/t7/AKd/j/wDvaK4KiuX/VX/AKff\
  +S//AGx8R/Z3978P+Cf/2Q==
  """
