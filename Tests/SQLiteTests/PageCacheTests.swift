import Domain
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SQLite

/// The cache of a server's answers on a device.
@Suite struct PageCacheTests {
  private let folder: TemporaryFolder
  private let start = Date(timeIntervalSince1970: 1_790_000_000)
  private var path: String { folder.path + "/data/cache.db" }

  init() throws { folder = try TemporaryFolder() }

  private func cache(
    limits: PageCache.Limits = .init(), at now: (@Sendable () -> Date)? = nil
  ) -> PageCache {
    PageCache(path: path, limits: limits, now: now ?? { [start] in start })
  }

  private func page(_ text: String, _ date: Date? = nil, etag: String? = "\"1\"") -> PageCache.Page
  {
    PageCache.Page(etag: etag, body: Data(text.utf8), date: date ?? start)
  }

  /// Whether any of the cache's files contains a text.
  private func isAnywhere(_ text: String) throws -> Bool {
    try ["", "-wal", "-shm"].contains { suffix in
      guard access(path + suffix, F_OK) == 0 else { return false }
      let bytes = try Data(contentsOf: URL(filePath: path + suffix))
      return bytes.firstRange(of: Data(text.utf8)) != nil
    }
  }

  private func permissions(_ path: String) -> mode_t {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_mode & 0o777 : 0
  }

  @Test(
    "A cached page is kept for its session alone, in a file with mode 0600"
  )
  func kept() {
    let cache = cache()
    #expect(cache.page("/v1/me", of: "a") == nil)
    cache.keep(page("{}"), as: "/v1/me", of: "a")
    #expect(cache.page("/v1/me", of: "a") == page("{}"))
    #expect(cache.page("/v1/me", of: "b") == nil && cache.page("/v1/you", of: "a") == nil)
    #expect(self.cache().page("/v1/me", of: "a") == page("{}"))
    #expect(permissions(path) == 0o600 && permissions(folder.path + "/data") == 0o700)
    for suffix in ["-wal", "-shm"] { #expect([0, 0o600].contains(permissions(path + suffix))) }
  }

  @Test("An older answer that arrives later doesn't replace a cached page")
  func order() {
    let cache = cache()
    cache.keep(page("new", start), as: "p", of: "a")
    cache.keep(page("old", start - .seconds(1)), as: "p", of: "a")
    #expect(cache.page("p", of: "a")?.body == Data("new".utf8))
    cache.keep(page("newer", start), as: "p", of: "a")
    #expect(cache.page("p", of: "a")?.body == Data("newer".utf8))
  }

  @Test("An unchanged answer updates a cached page's date, at most once a minute")
  func confirmed() {
    let cache = cache()
    cache.keep(page("x", start - .minutes(10)), as: "p", of: "a")
    cache.confirm("p", of: "a", at: start)
    #expect(cache.page("p", of: "a")?.date == start)
    cache.confirm("p", of: "a", at: start + .seconds(59))
    #expect(cache.page("p", of: "a")?.date == start)
  }

  @Test("After the clock was set back, a new answer replaces a page with a later date")
  func clockSetBack() {
    let now = Mutex(start + .minutes(2))
    let cache = cache(at: { now.withLock { $0 } })
    for name in ["p", "q"] { cache.keep(page("old", start + .minutes(2)), as: name, of: "a") }
    now.withLock { $0 = start }
    cache.keep(page("new"), as: "p", of: "a")
    #expect(cache.page("p", of: "a") == page("new"))
    cache.confirm("q", of: "a", at: start)
    #expect(cache.page("q", of: "a") == page("old"))
  }

  @Test("A clock set back by 400 days hides no cached page")
  func clockSetFarBack() {
    let kept = page("x", start)
    cache().keep(kept, as: "p", of: "a")
    let earlier = start - .days(400)
    #expect(cache(at: { earlier }).page("p", of: "a") == kept)
  }

  @Test("Ending a session erases its pages from the cache's files")
  func removed() throws {
    let cache = cache()
    let secret = String(repeating: "Penicillin", count: 2_000)
    cache.keep(page(secret), as: "p", of: "a")
    cache.keep(page("of somebody else"), as: "p", of: "b")
    #expect(try isAnywhere("Penicillin"))
    cache.removeAll(of: "a")
    #expect(try !isAnywhere("Penicillin"))
    #expect(cache.page("p", of: "a") == nil && cache.page("p", of: "b") != nil)
    cache.remove("p", of: "b")
    #expect(cache.page("p", of: "b") == nil)
  }

  @Test("A page older than 30 days isn't shown and is deleted when the cache is opened again")
  func old() throws {
    cache().keep(page("ancient"), as: "p", of: "a")
    let later = start + .days(30) + .seconds(1)
    let other = cache(at: { later })
    #expect(other.page("p", of: "a") == nil)
    #expect(try !isAnywhere("ancient") || cache().page("p", of: "a") == nil)
    // What was kept by a clock that was ahead is shown until it is replaced.
    let earlier = start - .days(2)
    other.keep(page("from later", later), as: "q", of: "a")
    #expect(cache(at: { earlier }).page("q", of: "a")?.body == Data("from later".utf8))
    let third = cache(at: { earlier })
    third.keep(page("now", earlier), as: "q", of: "a")
    #expect(third.page("q", of: "a")?.body == Data("now".utf8))
  }

  @Test("A page that is too large isn't cached and removes its older copy; old pages make room")
  func size() {
    var limits = PageCache.Limits()
    limits.page = 1_000
    limits.total = 2_500
    let cache = cache(limits: limits)
    func text(_ count: Int) -> String { String(repeating: "x", count: count) }
    for (index, name) in ["a", "b", "c"].enumerated() {
      cache.keep(page(text(1_000), start + .seconds(index)), as: name, of: "me")
    }
    #expect(["a", "b", "c"].map { cache.page($0, of: "me") != nil } == [false, true, true])
    cache.keep(page(text(1_001), start + .seconds(9)), as: "c", of: "me")
    #expect(cache.page("c", of: "me") == nil)
  }

  @Test(
    "A damaged, foreign or exposed cache file is replaced without an error",
    arguments: ["damaged", "foreign", "open", "link", "folder", "newer"])
  func damaged(how: String) throws {
    cache().keep(page(String(repeating: "y", count: 50_000)), as: "p", of: "a")
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    switch how {
    case "damaged":
      var bytes = try Data(contentsOf: URL(filePath: path))
      for index in 100..<bytes.count { bytes[index] = 0xA5 }
      try bytes.write(to: URL(filePath: path))
      chmod(path, 0o600)
    case "foreign":
      try Data("this is a letter, not a database, and it is long enough to be one".utf8).write(
        to: URL(filePath: path))
      chmod(path, 0o600)
    case "open": chmod(path, 0o644)
    case "link":
      rename(path, path + ".elsewhere")
      symlink(path + ".elsewhere", path)
    case "folder":
      unlink(path)
      mkdir(path, 0o700)
    default:
      let database = try Database(path: path, access: .readWrite)
      try database.script("DROP TABLE page; CREATE TABLE page (x); PRAGMA user_version = 9")
    }
    let cache = cache()
    let isUnusable = how == "folder"
    cache.keep(page("{}"), as: "q", of: "a")
    #expect((cache.page("q", of: "a") == nil) == isUnusable)
    if !isUnusable { #expect(permissions(path) == 0o600) }
  }

  @Test("Two programs can write to the page cache at once")
  func shared() async {
    let caches = [cache(), cache()]
    await withTaskGroup { group in
      for (number, cache) in caches.enumerated() {
        group.addTask {
          for index in 0..<50 {
            cache.keep(
              .init(
                etag: nil, body: Data("\(index)".utf8),
                date: Date(timeIntervalSince1970: 1_790_000_000)),
              as: "\(number)/\(index)", of: "a")
          }
        }
      }
    }
    #expect(caches[0].page("1/49", of: "a") != nil && caches[1].page("0/49", of: "a") != nil)
  }
}
