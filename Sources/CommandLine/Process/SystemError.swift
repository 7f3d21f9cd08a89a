import Glibc

/// The system's words for an error number: `No space left on device`.
func systemReason(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }
