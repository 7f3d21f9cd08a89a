import Glibc

struct Complaint: Error, CustomStringConvertible {
  var description: String
}

func complain(_ text: String) {
  let line = "\(text)\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
