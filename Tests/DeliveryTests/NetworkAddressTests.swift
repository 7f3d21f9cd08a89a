import System
import Testing

@testable import Delivery

/// Addresses to which nothing is ever sent, whatever name resolves to them.
@Suite struct NetworkAddressTests {
  @Test(
    "Link-local, metadata, multicast and unassigned addresses are refused in every notation",
    arguments: [
      "169.254.169.254", "169.254.0.1", "0.0.0.0", "0.1.2.3", "224.0.0.1", "239.255.255.250",
      "255.255.255.255", "240.0.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "::",
      "fe80::1", "febf::1", "ff02::1", "fd00:ec2::254", "fd20:ce::254", "::ffff:169.254.169.254",
      "64:ff9b::a9fe:a9fe", "::ffff:0.0.0.0", "[fe80::1]", "2002:a9fe:a9fe::1",
      "2001:0:5ef5:79fd::5601:5601", "::169.254.169.254", "::ffff:0:a9fe:a9fe",
    ])
  func refused(text: String) throws {
    let address = try #require(NetworkAddress(literal: text))
    #expect(address.refusal != nil)
  }

  @Test(
    "Public addresses and those of a private network aren't refused",
    arguments: [
      "93.184.216.34", "10.0.0.7", "192.168.1.2", "172.16.0.1", "169.253.1.1", "223.255.255.255",
      "2001:db8::1", "fd12:3456::1", "fec0::1", "::ffff:10.0.0.7",
    ])
  func allowed(text: String) throws {
    let address = try #require(NetworkAddress(literal: text))
    #expect(address.refusal == nil)
    #expect(!address.isLoopback)
  }

  @Test(
    "Addresses of this machine are recognized in every notation",
    arguments: [
      "127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1", "[::1]", "64:ff9b::7f00:1",
      "2002:7f00:1::", "2001:0:5ef5:79fd::80ff:fffe", "::127.0.0.1", "::ffff:0:127.0.0.1",
    ])
  func loopback(text: String) throws {
    let address = try #require(NetworkAddress(literal: text))
    #expect(address.isLoopback)
    #expect(address.refusal == nil)
  }

  @Test(
    "Addresses of a private network are recognized in every notation",
    arguments: [
      "10.0.0.7", "172.31.255.255", "192.168.1.2", "100.64.0.1", "198.18.0.1", "192.0.0.8",
      "fd12:3456::1", "fec0::1", "64:ff9b:1::a00:7", "::ffff:10.0.0.7", "64:ff9b::a00:7",
      "2002:a00:7::1", "2001:0:5ef5:79fd::f5ff:fff8", "::10.0.0.7",
    ])
  func isPrivate(text: String) throws {
    #expect(try #require(NetworkAddress(literal: text)).isPrivate)
  }

  @Test(
    "Public internet addresses aren't private, loopback or refused",
    arguments: [
      "93.184.216.34", "172.32.0.1", "198.20.0.1", "192.0.2.1", "2001:db8::1", "2606:4700::1111",
      "2002:5db8:d822::1", "64:ff9b::5db8:d822", "2001:4860:4860::8888",
    ])
  func isPublic(text: String) throws {
    let address = try #require(NetworkAddress(literal: text))
    #expect(!address.isPrivate && !address.isLoopback && address.refusal == nil)
  }

  @Test(
    "A name or malformed text isn't read as a network address",
    arguments: ["localhost", "127.0.0", "example.org", "", "[x]"])
  func name(text: String) { #expect(NetworkAddress(literal: text) == nil) }
}
