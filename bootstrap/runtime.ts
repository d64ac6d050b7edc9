import type { Settings } from '#bootstrap/settings.ts';

/** The facts known once the settings are read, the secret is there and the port is open; all modules are made from it. */
export type Runtime = Readonly<{
  settings: Settings;
  /** The secret that keys are derived from, the current one first. */
  secrets: readonly string[];
  /** How clients reach the server, without a trailing slash. */
  baseUrl: string;
  listensOnLoopback: boolean;
  version: string;
}>;

/** Whether an address to listen on is this machine's own loopback. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
