/** What a host name says about who can reach it. */

/** Whether a host is this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || /^127\./.test(host) || host === "[::1]";

/** Whether a host can be reached only from within its own network. */
export function isPrivate(host: string): boolean {
  if (host.endsWith(".local") || (!host.includes(".") && !host.startsWith("["))) return true;
  if (/^\[(fe[89ab]|f[cd])/i.test(host)) return true;
  return /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(host);
}
