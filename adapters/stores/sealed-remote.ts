import { z } from 'zod';
import type { RemoteClient, RemoteClients } from '#adapters/contracts/remote-clients.ts';
import { SealedFact, type SealedFactPlace } from '#adapters/stores/sealed-fact.ts';
import { underLease } from '#application/leases/under-lease.ts';
import type { AddedServers } from '#application/ports/added-servers.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Random } from '#application/ports/random.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { addedLease, addedLeaseMs } from '#application/remote-servers/manage-servers.ts';
import type { AddedServer } from '#domain/remote-servers/added-server.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';

type Facts = Pick<ServerFacts, 'find' | 'replace'>;
type Box = Pick<AesGcmBox, 'seal' | 'open'>;

const addedSchema = z.array(
  z.object({
    key: z.string(),
    title: z.string(),
    url: z.string(),
    connection: z.enum(['oauth', 'key', 'none']),
    userId: z.number(),
    at: z.number(),
  }),
);

const clientsSchema = z.array(
  z.object({
    service: z.string(),
    issuer: z.string().nullable(),
    clientId: z.string(),
    clientSecret: z.string().nullable(),
    redirectUri: z.string().nullable(),
    expiresAt: z.number().nullable(),
  }),
);

/** Where the servers are stored that administrators added. */
export const addedPlace: SealedFactPlace<readonly AddedServer[]> = {
  fact: 'added_servers',
  schema: addedSchema,
  lease: addedLease,
  leaseMs: addedLeaseMs,
};

/** Where this server's clients at authorization servers of remote MCP servers are stored. */
export const clientsPlace: SealedFactPlace<readonly RemoteClient[]> = {
  fact: 'remote_clients',
  schema: clientsSchema,
  lease: 'remote-clients',
  leaseMs: 10_000,
};

/** Stores the servers that administrators added as one encrypted text. */
export class SealedAddedServers implements AddedServers {
  readonly #fact: SealedFact<readonly AddedServer[]>;

  constructor(facts: Facts, box: Box) {
    this.#fact = new SealedFact(facts, box, addedPlace);
  }

  async read(): Promise<readonly AddedServer[]> {
    return (await this.#fact.read()) ?? [];
  }

  replace(servers: readonly AddedServer[]): Promise<void> {
    return this.#fact.replace(servers);
  }
}

/** The dependencies of the store of clients; `pause` waits before the lease is tried again. */
type SealedClientsDependencies = Readonly<{
  facts: Facts;
  box: Box;
  leases: Leases;
  random: Random;
  pause: (ms: number) => Promise<void>;
}>;

/** How long the lease is waited for, and the wait between two attempts, in ms. */
const waitMs = 4_900;
const pollMs = 100;

/** Stores the clients as one encrypted text, changed under a lease. */
export class SealedRemoteClients implements RemoteClients {
  readonly #dependencies: SealedClientsDependencies;
  readonly #fact: SealedFact<readonly RemoteClient[]>;

  constructor(dependencies: SealedClientsDependencies) {
    this.#dependencies = dependencies;
    this.#fact = new SealedFact(dependencies.facts, dependencies.box, clientsPlace);
  }

  async of(service: ServiceKey): Promise<readonly RemoteClient[]> {
    const all = (await this.#fact.read()) ?? [];
    return all.filter((one) => one.service === service).sort((left, right) => rankOf(left) - rankOf(right));
  }

  keep(client: RemoteClient): Promise<void> {
    const isOther = (one: RemoteClient) => one.service !== client.service || rankOf(one) !== rankOf(client);
    return this.#change((all) => [...all.filter(isOther), client]);
  }

  forget(service: ServiceKey): Promise<void> {
    return this.#change((all) => all.filter((one) => one.service !== service));
  }

  async #change(change: (all: readonly RemoteClient[]) => readonly RemoteClient[]): Promise<void> {
    const { pause } = this.#dependencies;
    const lease = { name: clientsPlace.lease, leaseMs: clientsPlace.leaseMs, wait: { maxMs: waitMs, pollMs, pause } };
    const changed = await underLease(this.#dependencies, lease, async () =>
      this.#fact.replace(change((await this.#fact.read()) ?? [])),
    );
    if (!changed.ok) throw new Error('Another server is changing the clients of remote MCP servers.');
  }
}

/** One that was entered comes first. */
const rankOf = ({ redirectUri }: RemoteClient): number => (redirectUri === null ? 0 : 1);
