import { readSettings } from '#bootstrap/config/settings.ts';
import { startPortolan } from '#bootstrap/portolan.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { startServer } from '#test/support/server/server-process.ts';

/** One server of a cluster; it keeps its port and folder across restarts. */
export type ClusterServer = Readonly<{
  /** Its own address, without the proxy. */
  origin: string;
  /** Its process id; that of the tests if it runs within them. */
  pid(): number;
  /** Its log since the last start. */
  log(): string;
  isRunning(): boolean;
  start(): Promise<void>;
  /** Stops it, as SIGTERM does. */
  stop(): Promise<void>;
  /** Kills it; only for a separate process. */
  kill(): Promise<void>;
  /** Sends a signal without waiting; only for a separate process. */
  signal(signal: NodeJS.Signals): void;
}>;

type Settings = Readonly<Record<string, string>>;

/** A server in this process, once it is started. */
export function serverInProcess(settings: Settings): ClusterServer {
  let running: Readonly<{ stop(): Promise<void> }> | null = null;
  let lines: string[] = [];
  return {
    origin: originOf(settings),
    pid: () => process.pid,
    log: () => lines.join(''),
    isRunning: () => running !== null,
    start: async () => {
      lines = [];
      const logger = openLogger('debug', { write: (line: string) => void lines.push(line) });
      running = await startPortolan({ settings: readSettings(settings), logger, version: '0.0.0' });
    },
    stop: async () => {
      const ending = running;
      running = null;
      await ending?.stop();
    },
    kill: async () => refuse(),
    signal: () => refuse(),
  };
}

/** A server in a separate process, once it is started. */
export function serverAsProcess(settings: Settings): ClusterServer {
  let running: Awaited<ReturnType<typeof startServer>> | null = null;
  const end = async (signal: NodeJS.Signals) => {
    const ending = running;
    running = null;
    await ending?.end(signal);
  };
  let log = () => '';
  return {
    origin: originOf(settings),
    pid: () => running?.pid ?? 0,
    log: () => log(),
    isRunning: () => running !== null,
    start: async () => {
      running = await startServer(settings);
      ({ log } = running);
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    signal: (signal) => running?.signal(signal),
  };
}

const originOf = ({ PORT: port = '' }: Settings): string => `http://127.0.0.1:${port}`;

function refuse(): never {
  throw new Error('A server within this process gets no signals: open the cluster with `as: "processes"`.');
}
