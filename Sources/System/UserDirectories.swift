import Glibc

/// The folders that a desktop gives a person's files, after xdg-user-dirs.
struct UserDirectories: Sendable {
  /// The home folder, an absolute path, or `nil`.
  let home: String?
  /// The folder of `user-dirs.dirs`, or `nil`.
  private let configuration: String?

  /// - Parameter environment: The environment, of which `HOME` and `XDG_CONFIG_HOME` are used.
  init(environment: [String: String]) {
    func path(_ variable: String) -> String? {
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    home = path("HOME")
    configuration = path("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
  }

  /// The folder for documents: the one in the file, or else the home folder.
  var documents: String? {
    let file = configuration.map { $0 + "/user-dirs.dirs" }
    let bytes = file.flatMap { try? LocalFile($0).contents(limit: 64 << 10) }
    return bytes.flatMap { documents(in: String(decoding: $0, as: UTF8.self)) } ?? home
  }

  /// Returns the folder in the line `XDG_DOCUMENTS_DIR="$HOME/Documents"`; the last of several
  /// counts.
  func documents(in file: String) -> String? {
    var folder: String?
    for line in file.split(separator: "\n") {
      let line = line.drop { $0 == " " || $0 == "\t" }
      guard line.hasPrefix("XDG_DOCUMENTS_DIR=\"") else { continue }
      let value = unescaped(line.drop { $0 != "\"" }.dropFirst())
      if value.hasPrefix("/") {
        folder = value
      } else if value == "$HOME" || value.hasPrefix("$HOME/"), let home {
        folder = home + value.dropFirst("$HOME".count)
      }
    }
    return folder
  }

  /// Returns the text up to the closing quotation mark, as a shell reads it.
  private func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        break
      } else {
        result.append(character)
      }
    }
    return result
  }
}
