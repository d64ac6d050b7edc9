import type { Settings } from '#bootstrap/config/settings.ts';

/**
 * What is known once the settings and the secrets are read and the base URL is determined; the modules depend on it.
 */
export type Runtime = Readonly<{
  settings: Settings;
  /** The secrets that keys are derived from, the current one first. */
  secrets: readonly string[];
  /** The server's base URL, without a trailing slash. */
  baseUrl: string;
  listensOnLoopback: boolean;
  version: string;
  /** Until when cookies from before sessions were stored count as persons', in Unix ms. */
  formerCookiesUntil: number;
}>;
