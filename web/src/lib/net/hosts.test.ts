import { expect, it } from "vitest";
import { isLoopback, isPrivate } from "./hosts";

it("knows the names of this machine", () => {
  for (const host of ["localhost", "a.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])
    expect(isLoopback(host), host).toBe(true);
  for (const host of ["192.168.0.7", "table.example", "localhost.example", "[2001:db8::1]"])
    expect(isLoopback(host), host).toBe(false);
});

it("knows addresses that work in one network only", () => {
  for (const host of [
    "192.168.0.7",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.9.9",
    "pi.local",
    "pi",
    "[fd00::1]",
  ])
    expect(isPrivate(host), host).toBe(true);
  for (const host of ["172.32.0.1", "8.8.8.8", "table.example", "11.0.0.1", "[2001:db8::1]"])
    expect(isPrivate(host), host).toBe(false);
});
