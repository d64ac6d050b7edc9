import type { ServerMessages } from '#adapters/contracts/server-messages.ts';
import { MemoryServerMessages } from '#adapters/memory/memory-server-messages.ts';
import { PostgresMessages } from '#adapters/persistence/postgres-messages.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { openBeside } from '#test/support/persistence/sqlite-pool.ts';
import { patience, type TestDatabase } from '#test/support/persistence/test-database.ts';

type OnHub = Opened<ServerMessages> & Readonly<{ hub: Set<MemoryServerMessages> }>;

const onHub = (hub: Set<MemoryServerMessages>): OnHub => {
  const port = new MemoryServerMessages(hub);
  return { port, hub, close: async () => port.leave() };
};

/** Servers of one process that share what carries their messages. */
const sharedHub: Subject<ServerMessages, OnHub> = {
  name: 'memory of several',
  open: async () => onHub(new Set()),
  beside: async ({ hub }) => onHub(hub),
  supports: { durable: false, processes: true },
};

/** The carriers of messages that this project has, and need no PostgreSQL. */
export const serverMessages: readonly Subject<ServerMessages, OnHub>[] = [
  sharedHub,
  {
    ...memorySubject<ServerMessages>('memory', () => new MemoryServerMessages()),
    open: sharedHub.open,
    reopen: async () => onHub(new Set()),
    beside: async () => onHub(new Set()),
  },
];

/** A server that stands still for longer has missed messages, and says so. */
const timing = { pingMs: 5_000, maxDelayMs: 60_000, maxConnectMs: patience.maxConnectMs, aliveMs: 300 };

/** Messages over PostgreSQL; each server has a pool and a listening connection of its own. */
export function postgresMessages(opened: () => TestDatabase): Subject<ServerMessages> {
  const open = async (): Promise<Opened<ServerMessages>> => {
    const { url } = opened();
    const database = await openBeside(url);
    const logger = openLogger('silent');
    const port = new PostgresMessages({ database, url, serverId: systemRandom.token(9), logger, timing });
    await port.open();
    const close = async () => {
      await port.close();
      await database.close();
    };
    return { port, close };
  };
  return { name: 'PostgreSQL', open, beside: open, supports: { durable: false, processes: true } };
}
