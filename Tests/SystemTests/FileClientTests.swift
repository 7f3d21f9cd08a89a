import Clients
import Foundation
import Glibc
import TestSupport
import Testing

@testable import System

@Suite(.timeLimit(.minutes(1)))
struct FileClientTests {
  @Test("Documents are in the folder that the XDG settings name, or else in the home folder")
  func documentsDirectory() async throws {
    let folder = try TemporaryFolder()
    let home = FileClient.live(environment: ["HOME": folder.path])
    #expect(try await home.documentsDirectory() == folder.path)
    mkdir(folder.path + "/.config", 0o700)
    try folder.write(
      """
      # A comment
      XDG_DESKTOP_DIR="$HOME/Desktop"
      XDG_DOCUMENTS_DIR="$HOME/My \\"papers\\""
      """, to: ".config/user-dirs.dirs")
    #expect(try await home.documentsDirectory() == folder.path + "/My \"papers\"")
    // With another configuration folder, that folder's file counts.
    let other = FileClient.live(
      environment: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/none"])
    #expect(try await other.documentsDirectory() == folder.path)
    await expect(LocalFileError.noHome) { () throws(LocalFileError) in
      try await FileClient.live(environment: ["HOME": "here"]).documentsDirectory()
    }
  }

  @Test(
    "A line of user-dirs.dirs without an absolute path is ignored",
    arguments: [
      ("XDG_DOCUMENTS_DIR=\"/srv/papers\"", "/srv/papers"), ("XDG_DOCUMENTS_DIR=\"papers\"", nil),
      ("XDG_DOCUMENTS_DIR=\"$HOMER/papers\"", nil), ("  XDG_DOCUMENTS_DIR=\"$HOME\"", "/home/ida"),
      ("#XDG_DOCUMENTS_DIR=\"/srv\"", nil), ("", nil),
    ])
  func lines(_ line: String, _ folder: String?) {
    #expect(UserDirectories(environment: ["HOME": "/home/ida"]).documents(in: line) == folder)
  }

  @Test("A typed path starts at the root, the home folder or the current folder")
  func paths() {
    let files = FileClient.live(environment: ["HOME": "/home/ida"])
    #expect(files.path("/srv/a b") == "/srv/a b")
    #expect(files.path("~/card.pdf") == "/home/ida/card.pdf")
    #expect(files.path("~") == "/home/ida")
    #expect(
      files.path("~bo/card.pdf") == FileManager.default.currentDirectoryPath + "/~bo/card.pdf")
    #expect(files.path("card.pdf") == FileManager.default.currentDirectoryPath + "/card.pdf")
  }

  @Test("A typed path is completed as typed, with hidden names only after a dot")
  func completions() async throws {
    let folder = try TemporaryFolder()
    let files = FileClient.live(environment: ["HOME": folder.path])
    for name in ["card.pdf", "Cards.txt", ".card", "ca\tb", "é.png"] {
      try folder.write("", to: name)
    }
    mkdir(folder.path + "/cards", 0o700)
    try folder.write("", to: "cards/old one.pdf")
    symlink("cards", folder.path + "/carlink")
    // A name that isn't UTF-8.
    let odd = open(folder.path + "/caX", O_CREAT | O_WRONLY, 0o600)
    close(odd)
    #expect(
      (Array("\(folder.path)/ca".utf8CString.dropLast()) + [-1, 0]).withUnsafeBufferPointer {
        rename(folder.path + "/caX", $0.baseAddress!)
      } == 0)
    #expect(await files.completions("~/ca") == ["~/card.pdf", "~/cards/", "~/carlink/"])
    #expect(await files.completions("~/.") == ["~/.card"])
    #expect(await files.completions("~/cards/old") == ["~/cards/old one.pdf"])
    #expect(await files.completions("~").count == 5)
    #expect(await files.completions(folder.path + "/é") == [folder.path + "/é.png"])
    #expect(await files.completions("~/none/") == [])
    #expect(await files.completions("~/card.pdf/") == [])
  }

  @Test("A file is read whole, or refused if too large, missing or not a regular file")
  func contents() async throws {
    let folder = try TemporaryFolder()
    let files = FileClient.live(environment: [:])
    try folder.write("twelve bytes", to: "a")
    let path = folder.path + "/a"
    #expect(try await files.contents(path, 12) == Data("twelve bytes".utf8))
    await expect(LocalFileError.tooLarge(path: path)) { () throws(LocalFileError) in
      try await files.contents(path, 11)
    }
    await expect(LocalFileError.notFound(path: path + "/b")) { () throws(LocalFileError) in
      try await files.contents(path + "/b", 12)
    }
    // Folders, pipes, which would block, and endless devices are refused.
    let pipe = folder.path + "/pipe"
    mkfifo(pipe, 0o600)
    for other in [folder.path, pipe, "/dev/zero"] {
      await expect(LocalFileError.cannotRead(path: other, reason: "it isn't a regular file")) {
        () throws(LocalFileError) in try await files.contents(other, 12)
      }
    }
  }

  @Test("Moving a file never replaces another")
  func move() async throws {
    let folder = try TemporaryFolder()
    let files = FileClient.live(environment: [:])
    try folder.write("1", to: "a")
    try folder.write("2", to: "b")
    let (a, b, c) = (folder.path + "/a", folder.path + "/b", folder.path + "/c")
    await expect(LocalFileError.exists(path: b)) { () throws(LocalFileError) in
      try await files.move(a, b)
    }
    try await files.move(a, c)
    #expect(folder.text("b") == "2" && folder.text("c") == "1")
    #expect(await files.exists(c))
    #expect(await !files.exists(a))
    await expect(LocalFileError.notFound(path: a)) { () throws(LocalFileError) in
      try await files.move(a, folder.path + "/d")
    }
    try await files.delete(c)
    #expect(folder.names == ["b"])
    await expect(LocalFileError.notFound(path: c)) { () throws(LocalFileError) in
      try await files.delete(c)
    }
  }
}
