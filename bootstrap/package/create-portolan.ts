import type { RequestListener } from 'node:http';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import { checkConfig } from '#bootstrap/config/check-config.ts';
import type { PortolanConfig } from '#bootstrap/config/portolan-config.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import type { ClientDispatcher } from '#bootstrap/package/client-dispatcher.ts';
import { openPortolan } from '#bootstrap/portolan.ts';
import { version } from '#bootstrap/version.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

/** The configuration, and the other options of a server. */
export type PortolanOptions = PortolanConfig &
  Readonly<{
    /** The settings, by the names of their environment variables; pass `process.env` for those of the process. */
    settings: Readonly<Record<string, string | undefined>>;
    /** Receives log lines; JSON lines on standard error when not given. */
    logger?: Logger;
    /** The clock, for tests; the system's when not given. */
    clock?: Clock;
  }>;

/** An open server: `listen` opens its own port, or `listener` is mounted on another server. */
export type Portolan = Readonly<{
  /** Answers all HTTP requests: mount it at the root, before any body parser. */
  listener: RequestListener;
  /** Answers MCP requests of transports other than HTTP. */
  dispatcher: ClientDispatcher;
  /** The server's base URL, without a trailing slash. */
  baseUrl: string;
  /** The password generated for the first user; null when it was given in the settings, or the user existed already. */
  firstPassword: string | null;
  /** Listens on `HOST` and `PORT`; returns both, with the actual port for port 0. */
  listen(): Promise<Readonly<{ host: string; port: number }>>;
  /**
   * Takes requests for `DRAIN_MS` more if it listens itself, ends running work within 8 s, and closes everything.
   * Idempotent.
   */
  stop(): Promise<void>;
}>;

/**
 * Opens a server with its stores, jobs and interfaces; it is active from then on, whether or not it listens. Throws
 * `SettingErrors`, `ConfigError` and other errors whose message says what to correct. With `PORT` 0 and no `BASE_URL`,
 * the port is opened here, since the base URL depends on it.
 */
export async function createPortolan({ settings: env, logger, clock, ...given }: PortolanOptions): Promise<Portolan> {
  const config = checkConfig(given);
  const settings = readSettings(env, config.services);
  const { listener, dispatcher, baseUrl, firstPassword, listen, stop } = await openPortolan({
    settings,
    config,
    logger: logger ?? openLogger(settings.LOG_LEVEL),
    version,
    ...(clock === undefined ? {} : { clock }),
  });
  return { listener, dispatcher, baseUrl, firstPassword, listen, stop };
}
