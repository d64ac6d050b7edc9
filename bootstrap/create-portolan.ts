import type { RequestListener } from 'node:http';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ClientDispatcher } from '#bootstrap/client-dispatcher.ts';
import { checkConfig } from '#bootstrap/config/check-config.ts';
import type { PortolanConfig } from '#bootstrap/config/portolan-config.ts';
import { openPortolan } from '#bootstrap/portolan.ts';
import { readSettings } from '#bootstrap/settings.ts';
import { version } from '#bootstrap/version.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

/** The configuration, and what a server besides is opened with. */
export type PortolanOptions = PortolanConfig &
  Readonly<{
    /** The settings by the names of their environment variables; `process.env` takes those of the process. */
    settings: Readonly<Record<string, string | undefined>>;
    /** Where log lines go; JSON lines on standard error when not given. */
    logger?: Logger;
    /** The time, for tests; the system's when not given. */
    clock?: Clock;
  }>;

/** A server that is open; `listen` opens a port of its own, or `listener` is mounted on another server. */
export type Portolan = Readonly<{
  /** Answers HTTP requests, all of them: mount it at the root, before anything reads the body. */
  listener: RequestListener;
  /** Answers MCP requests, for transports beside HTTP. */
  dispatcher: ClientDispatcher;
  /** How clients reach the server, without a trailing slash. */
  baseUrl: string;
  /** The password generated for the first user; null when it was given, or is from a former start. */
  firstPassword: string | null;
  /** Listens on `HOST` and `PORT`; returns both, port 0 as the one that was taken. */
  listen(): Promise<Readonly<{ host: string; port: number }>>;
  /** Ends what is running within 8 s, and closes everything. A second call changes nothing. */
  stop(): Promise<void>;
}>;

/**
 * Opens a server: its stores, its jobs and its interfaces. It works from then on, whether it listens or not. Throws
 * `SettingErrors`, `ConfigError` and other errors whose message says what to correct. With `PORT` 0 and no `BASE_URL`
 * the port is taken here, since the base URL depends on it.
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
