import Clients
import Composable
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import Images

/// Reading QR codes from pictures.
@Suite("QR codes in pictures", .timeLimit(.minutes(2)))
struct QRScanTests {
  private let link = "lifesignal://add/6f1c2d80-0000-4000-8000-00000000beef"

  private func modules(_ text: String) async throws -> [[Bool]] {
    try await QRCodeClient.live.modules(text)
  }

  /// The picture of a text's QR code, made by LifeSignal.
  private func png(_ text: String) async throws -> Data {
    let path = "/tmp/lifesignal-qr-\(UUID().uuidString).png"
    defer { unlink(path) }
    try await QRCodeClient.live.save(modules(text), path)
    return try #require(FileManager.default.contents(atPath: path))
  }

  /// A simulated photograph: the code rotated about the centre at `scale` pixels per module, seen
  /// at an angle, with light that falls off to one side and with noise.
  private func photograph(
    _ modules: [[Bool]], degrees: Double = 0, scale: Double = 6, lean: Double = 0,
    noise: Int = 0, side: Int = 420
  ) -> GreyPicture {
    var random = SplitMix64(seed: 42)
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    let (middle, half) = (Double(side) / 2, Double(modules.count) / 2)
    func brightness(_ x: Double, _ y: Double) -> Double {
      // Perspective: distant lines converge.
      let distance = 1 + lean * (y - middle) / middle
      let (dx, dy) = ((x - middle) * distance / scale, (y - middle) * distance / scale)
      let column = Int((dx * cosine + dy * sine + half).rounded(.down))
      let row = Int((dy * cosine - dx * sine + half).rounded(.down))
      guard modules.indices.contains(row), modules.indices.contains(column) else { return 1 }
      return modules[row][column] ? 0 : 1
    }
    var pixels: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side {
        var sum = 0.0
        for (dx, dy) in [(0.0, 0.0), (0.5, 0), (0, 0.5), (0.5, 0.5)] {
          sum += brightness(Double(x) + dx, Double(y) + dy)
        }
        let light = 150 + 80 * Double(x) / Double(side)
        let grain = noise == 0 ? 0 : Int(random.next() % UInt64(2 * noise + 1)) - noise
        pixels.append(UInt8(clamping: Int(20 + (light - 20) * sum / 4) + grain))
      }
    }
    return GreyPicture(width: side, height: side, pixels: pixels)
  }

  @Test("QR-1: LifeSignal reads the QR codes that it makes", arguments: ["7K3Q F9ZD", "ä👩‍🚀", "x"])
  func roundTrip(text: String) async throws {
    #expect(try await QRCodeClient.live.text(png(text)) == text)
  }

  @Test("A QR code is read at any angle", arguments: [0, 3, 45, 90, 133, 180, 270, 359])
  func turned(degrees: Int) async throws {
    let picture = photograph(try await modules(link), degrees: Double(degrees))
    #expect(try QRScan.text(in: picture) == link)
  }

  @Test("A QR code is read in small and large pictures", arguments: [2.5, 4, 9, 13])
  func scaled(scale: Double) async throws {
    #expect(try QRScan.text(in: photograph(try await modules(link), scale: scale)) == link)
  }

  @Test(
    "A QR code is read at a slant, in uneven light and with noise",
    arguments: [(0.1, 10), (0.2, 20), (0.0, 50)])
  func photographed(lean: Double, noise: Int) async throws {
    let picture = photograph(
      try await modules(link), degrees: 11, scale: 8, lean: lean, noise: noise)
    #expect(try QRScan.text(in: picture) == link)
  }

  @Test("A QR code is read from a photograph")
  func jpeg() async throws {
    #expect(try await QRCodeClient.live.text(Self.photograph) == link)
  }

  @Test("A picture with several QR codes is refused")
  func several() async throws {
    let one = photograph(try await modules(link), scale: 5, side: 200)
    let two = photograph(try await modules("another"), scale: 5, side: 200)
    var rows: [UInt8] = []
    for row in 0..<200 {
      let line = row * 200..<(row + 1) * 200
      rows += one.pixels[line]
      rows += two.pixels[line]
    }
    #expect(throws: QRCodeError.severalCodes) {
      try QRScan.text(in: GreyPicture(width: 400, height: 200, pixels: rows))
    }
  }

  @Test("A picture without a QR code is an error", arguments: [1, 2, 37, 300])
  func none(side: Int) {
    var random = SplitMix64(seed: 7)
    for pixels in [
      [UInt8](repeating: 255, count: side * side), [UInt8](repeating: 0, count: side * side),
      (0..<side * side).map { _ in UInt8(truncatingIfNeeded: random.next()) },
    ] {
      #expect(throws: QRCodeError.noCode) {
        try QRScan.text(in: GreyPicture(width: side, height: side, pixels: pixels))
      }
    }
  }

  @Test("Transparent pixels count as white")
  func transparent() throws {
    #expect(
      try GreyPicture(decoding: Self.transparent)
        == GreyPicture(width: 1, height: 1, pixels: [255]))
  }

  // MARK: Foreign files

  @Test("Files that aren't pictures, or are too large, are refused")
  func noPicture() async throws {
    for data in [Data(), Data("GIF89a".utf8), Data("%PDF-1.4".utf8), Data(repeating: 0, count: 99)]
    {
      await #expect(throws: QRCodeError.unknownPicture) {
        try await QRCodeClient.live.text(data)
      }
    }
    await #expect(throws: QRCodeError.tooManyPixels) {
      try await QRCodeClient.live.text(
        Self.photograph + Data(repeating: 0, count: QRCodeClient.sizeLimit))
    }
  }

  @Test("A picture that claims to be huge is refused before it is decoded")
  func huge() throws {
    var png = Self.transparent
    // The width and height in the header. The checksum is wrong then, which is refused as well.
    png.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    #expect(throws: QRCodeError.self) { try GreyPicture(decoding: png) }
    var jpeg = Self.photograph
    let frame = try #require(jpeg.firstRange(of: [0xFF, 0xC0]))
    jpeg.replaceSubrange(
      frame.lowerBound + 5..<frame.lowerBound + 9, with: [0xF0, 0xF0, 0xF0, 0xF0])
    #expect(throws: QRCodeError.tooManyPixels) { try GreyPicture(decoding: jpeg) }
  }

  @Test("A damaged picture of a QR code is read correctly or refused")
  func damaged() async throws {
    var random = SplitMix64(seed: 99)
    for original in [try await png(link), Self.photograph] {
      for round in 0..<300 {
        var data = original
        if round % 3 == 0 { data = data.prefix(Int(random.next() % UInt64(data.count))) }
        for _ in 0...Int(random.next() % 8) where !data.isEmpty {
          let index = data.startIndex + Int(random.next() % UInt64(data.count))
          data[index] = UInt8(truncatingIfNeeded: random.next())
        }
        do throws(QRCodeError) {
          let text = try await QRCodeClient.live.text(data)
          #expect(text == link)
        } catch {
          #expect(
            [.unknownPicture, .damagedPicture, .tooManyPixels, .noCode].contains(error))
        }
      }
    }
  }

  /// 1 × 1, black and transparent.
  private static let transparent = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII="
  )!

  /// The link's code, rotated, tilted and with noise, as a camera's JPEG.
  private static let photograph = Data(
    base64Encoded: """
      /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABIMDRANCxIQDhAUExIVGywdGxgYGzYnKSAsQDlEQz85Pj1HUGZXR0thTT0+\
      WXlaYWltcnNyRVV9hnxvhWZwcm7/wAALCACqAKoBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QA\
      tRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0\
      NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2\
      t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AJu9L2xSg0o4pwpRzSilHSl7\
      U4UopRTs8UopR0p38qUGl7Uopwo+lL+NY1AFO7UtL9KjurlbWAyuCQDjAqO31O1nwFkCH0birikEAgj8KcD60tKPanCl\
      HrSil59Kd3pRSil+tL3p1LisUUopacBSisvX5MW8cf8AebNB0SB4UAdkkKjPfJ+lQGx1Gx5tnLr/ALJ/oafFrs0J23cB\
      z6jg1txOJYlcZAYZ5qT8acKUYpRS0op3elpRTh0pc4o4/wAisUdKcKXFLTqxtS/0jV4IOwx/jUWvzH7WiKSCi9j60yw1\
      G7+0RxLJvDMBhuata2TPfW9svrz+JqzqOqHT544o0Drt5B6iorjULq6thcWSsiRk7845q1pWoS3VtJLcBQsfcd6t2d7F\
      eRGSInapwdwxg1ZUg8il9qcKXrS0ueaWnUuaxR1pRS0venD86w7WWN9cklkcKASF3H8Kmv8ASZbmd54ZFfd/CeP1qLSd\
      Pmi1ANPGVCAkE+tSWv8ApevySdVjzj8OBV42MM+oC6EofbwU6igz2E8ctosqx7iQQOOai0t4d0unohdVzlz0YU/U1jsN\
      JkS3TaJDjA7Z61T0+O4sXgmuLgR20nOC3t0xVmXxDHFdvH5e+IHAdT1rYglE0SSKCFYZGalpaWnD0oHFO/GsWlHTmlFL\
      SSSLDE0j8Kgyayxb6bfH90+yRuwOD+VIdMvbXm0n3D0zikOrXlsCl1Ac9mxinaP+4sLm7YcnOD9P/r1W0nUYrJ3MysTI\
      R8w7U+7tYrq6heyiYxSH5mwcZzW19qtob5bYDErAAEL1/GrfytlTg+oNY3iKG4m8oRRM0SDJKjPNU9Ca3E7W9zAXeUhR\
      kZxXSXUq2lm8mOI14H8q5yyXVfI+02rOysx+XOc/gauQ+IpoW2X1sQRwSvB/I1q2urWd1jZOoY/wtwavDml7UVjUvBpR\
      S1S1mUx6ewB5YhawbWf7NcLLtDFecE1tCWWG5S7uJvLglHCZzg44q5fXkVrAskieYrnpVC6uornTnisI2zkFlVegqC3B\
      vtNNrDCokjwS7d+aux38dhpsKwATMDhwvY96pah9ptL9bz5Q0nKDrjjpVnRVmuNTmuZ1ZWA6EY5NaNmb43k/2oAQ5JT/\
      APXWPqkU9nqazRTDzJmyu0cirniCZ/stva53SykFvf8AyadqF6+j21rb2+3cB824Z4//AF0231y3vWWC8tQSxwMDIqrr\
      dhbw3UMNohWSU8rnIA7V09vCLeBIhyEUDNTDrRj2FY1KPalFOHSsjXWLyQQLySc/0rPOnXMcqrJEdpYAnqK6G7to57ba\
      0e/YvyD3rNbVZo4jFd2vO3AOMfzrPs76azDiIL845yK1tHhddKmkjUGWTIGadYKdK0yWW4T5y3KnqfSprsR31gl2kDNK\
      ozGD1696zG1OR9Simug8SpwyrnmtN7m4u7gwgeVazJ8sjDB6dqZpUdq8htnBmmt2JEh6daZD/wATDxG0nWODp+H/ANeq\
      2u2d5JeyTGFmi6KV54pvhy182/MsgwsIzz61d0wHUddmu25SI4X+QroacKdWIPelBpaXFZJH2jXx6Rf0pdUlvcyxiPMD\
      cAgZptldStYeRaK3nx8ktyCO9Q39/dPbmC5hCMTndjFMkggnsYzZxO0qYEhFaul6c9qxfz96FeFHY1mareXcg8i5QIN2\
      4e4rQ8ONK8EjPIzRrhVU9qm1W/tYJPJng8wlM8gcelVrS3fVrBGu5dqxvhMACtd1trSNpWCRAgAuOM+lZJ0QOfO0685P\
      PX+ooF1rFh/ro/PjHU9f1FE/iCKSylRIWincY46Vp6BafZdNTI+eT52/HpWiKUU4E4rFpRSj86Xp0rAhunsLyWSeFt0m\
      cZ471f0u5nmtZ5ZSWAztFU9JufJkljKN9ol+7x3qW+t57iwNxeNskiyAoHBqGyvIbfS541Yid+2PwrV0KLy9OQ5BLksf\
      asnXVmN8ZHjZU4VT61o6NaXdsymRwLcru2g9zVnU4Rf2TCB4yRyWPpWTp7m8s3tJp1jjjGVwBkn+tZz3MzRGFpGMec7S\
      a0NK0ua6iM8U5iw2Bjv61r6rfXWnlGiiDwqvzs3c/WpbaK21W0Sea0VSema0lAC4AwOlOpRR+FY2KUdaWmziQwuIeJMf\
      Ln1rNngkSKO8uwXljOCgHBFSQTPBOszlILSUZC+hqmFmv9SmltZArJypP5VrXVq1zYCKWQhgAWIGckVnRPplzGsTRMsg\
      G0EDBY1Da2VxFDJcGR4BGeQcgkVrTQ2+q28UplZUQ8Z4zVa+1HbqiQLLstwNr49xTJbG3sFjvI53eEsMoP4gafexWdlH\
      DewQkSEgqhOAfqKoPDcavdSyQwhSoGV6YrY0SWaCFre5hEKwruyeC1Y1xqVxfsYHkxE8mQDjiuh0jTWsDIftJlRgAo7C\
      tMUtOFH5VjCl70tV72KSaNUimEb5z161YG6ODnLFV596x7aIS6fcS3asQpO0MTwaj0myWYLKLjY4flAeSKvSakU1fyC6\
      LCOGLDvirN7bb4hLaxxmdTlWNSWcyXNtiV0kcD94B0B+lZtmp1GO5iYlbVTlAg6VQvrpJYYohb+UycFj1atXTtSVtNdr\
      rymEQwEGMkfSprpYtQ09LpIZGZOY0/H09Kq2V5cX2sIQDAqL+8Ve+PWr7RWd3qK3H2kFo+DHkYrBntpL+7nksoMxhsYW\
      ussbcWtnFCP4F5+verApQcU4UufasUUtLWRqCG81VIFbAVeo7d6f5Gp2v+pmEyjsT/jQ2qMqmO/tCFPXA4pEsbG8jaW1\
      d49nX2qGWJL63SaCIIIziV2PJ96tXUzT31rDaSN5QwCy9D/kCrBmtbATrarvmzloxk5qOHUTNDKljbbJxyVIGKj1W5E2\
      lxZCNM5AbZztPpSTaTZRQoss5im2bj83X14qPQ78xb4WeR2biJO2f6U2Oynt4mvp5WgIf5lHVhmtA6PZX0QuLcyReZyP\
      /wBVLpml3VjdfLOrW5ySBxk9q2hSinDp0pTRn6VjClFL0rJ04+bqFzcnoucVm/bJkmd45WUk561rw3csmkTTXBVjyF4p\
      +kWoOllWJHnZJIPOOlQRKZILjTrUfcOfMY9atvI+l2MCrEZMD58dvesizu5zqfmRAb5mwcjPBNdJPLBbRvI+BgYO3rWR\
      ZyRy3EtpYKBFKuTI3VTisu8aQ3DJLKZTGdu4mtDw7CpuJLl+FiX+dV73VZ79PKYDZv3AKOcVauNfdFjSyXYirtYOK1PD\
      0LpYeZISWlbdye1atLTh7mlFGT6GsbvS02bd5L7FJbacAVj2dwLCN4rq3kAc8ml+yafc/wConMTH+Fqk1Jfs+n29ohDF\
      jyR3q3dpJDaxiGYRCEAuO5FGnyWCM7QSjfJyQ55qzqIkewkWBS7MMYFctFJJbzBkyjofTpWro7pc3k0100Zdhwrdz9Kf\
      A0WkzXXmyL5zLlAo4xSWVvaR6Wbm/Td5j8HHNR6nYQWlqk9rJIPN4CHuKtGyOnWsFzb24knUZkJPA9aoW+nz6s8lypRQ\
      X5HT8q62JFjjVFwFUACnilFOFKKP89KxhSj3pe9BUMMMAR6EVWm0y1m5MW09cqcVBHowiuY5BKWRDnawp4tZZNYeaZP3\
      QXA9DVO4to79c2VtsZHw56VbtVGnXYti0svmgYY9FpLlbW0tbmK2+eU9V+8RXP1dkuFuraC2SACYEAv1LVdGpSWSraX1\
      qjqg6e1L566xqlskakQxjJB/z9KvXdzLfLc2dvEQ68bmOARntT9L0hbKRZjI5fbhl7ZrVFKO1KOlOHFKKXA96xKcKd24\
      oFLTqUGlAAzgYJ61De2xuoPLWQxnOQwqrc2txbMslhGjPtxIx6tWQCLe3njurRjM5yHYdDUvh+382/3kfLGN349q2b7S\
      re6LyOrCTHVT1rGt7a8sraS8RxFtO0qw5NaAguNQtYLmS6FvLg7ccAitazilitkSeTzJB1arHXNKKUUoNKPrS/lWMKUU\
      oFO+maUc0vFKKXt1pwpaCoYYYAj0IpsNvDAWMUaoW64HWm3qTyW5W1cJJngmq8DXYt5zqKIwQZXaM7qr6dZtf2ateF8K\
      +Y1BxtFbY7CnClpRxilHanCl3Vi0opRS04UopQadjNKKX60o/Wl70tO60op3NLS0tOHWlFLj/OKxfpSilpw96Kd9acKU\
      A5paUU4e9FOpcUtOHFL2pRSinUoowaxRTvxpRSj2pacKUCl6U4UoHalFO70oNLxS0tOFL1pRTqWl4rGpaXvQOv4U7t+F\
      Kvej0pw6/jTv4aXvTu9A70q070paUdKXsKX0p3rTu5+lKOhpa//Z
      """)!
}
