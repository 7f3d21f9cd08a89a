import Domain

/// A page behind a link, as plain HTML that loads nothing and runs nothing.
struct LinkPage: Equatable {
  var status: Int
  var html: String

  private init(status: Int = 200, title: String, _ paragraphs: [String], button: String? = nil) {
    self.status = status
    let form = button.map {
      "<form method=\"post\"><button type=\"submit\">\($0.escapedForHTML)</button></form>\n"
    }
    html = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title.escapedForHTML)</title>
      <style>
      body { font: 18px/1.5 sans-serif; max-width: 32em; margin: 2em auto; padding: 0 1em }
      button { font: bold 20px sans-serif; padding: 0.8em 1.2em; width: 100% }
      </style>
      </head>
      <body>
      <h1>\(title.escapedForHTML)</h1>
      \(paragraphs.map { "<p>\($0.escapedForHTML)</p>\n" }.joined())\(form ?? "")</body>
      </html>

      """
  }

  /// Says who and what, with the button that does it.
  static func invitation(_ invitation: LinkService.Invitation) -> Self {
    let name = invitation.name.outgoing
    switch invitation.purpose {
    case .acknowledge:
      return Self(
        title: "\(name) may need help",
        [
          "Are you responding? Press the button. The other responders are notified, and get no more"
            + " calls for help.",
          "If someone may be in danger, call the emergency services: 112 in Europe, 911 in North"
            + " America.",
        ], button: "I'm responding")
    case .decline:
      return Self(
        title: "\(name) named you as a contact",
        [
          "If you don't want to be notified when \(name) may need help, press the button. \(name) is"
            + " notified."
        ], button: "Take me off the list")
    }
  }

  static func done(_ invitation: LinkService.Invitation) -> Self {
    switch invitation.purpose {
    case .acknowledge:
      Self(
        title: "Thank you",
        [
          "The other responders are notified that you are responding to"
            + " \(invitation.name.outgoing)."
        ])
    case .decline:
      Self(
        title: "You are off the list",
        ["\(invitation.name.outgoing) is notified that you declined."])
    }
  }

  /// For every code that is good for nothing: nobody learns whether it ever was.
  static let nothing = Self(
    status: 404, title: "Nothing to do here",
    [
      "This link has been used or has expired. If you pressed the button before, that's all there is to do.",
      "If someone may be in danger, call the emergency services: 112 in Europe, 911 in North America.",
    ])
  static let tooManyTries = Self(
    status: 429, title: "Too many tries", ["Please try again in a minute."])
  static let unavailable = Self(
    status: 503, title: "This isn't working right now",
    ["Please try again in a minute, or call the person who sent you here."])
  static let wrongMethod = Self(status: 405, title: "That isn't possible here", [])
  static let tooLarge = Self(status: 413, title: "That is too much data", [])
}
