import { authorizationCodesContract } from '#test/contracts/authorization-codes.ts';
import { clientsContract } from '#test/contracts/clients.ts';
import { connectionStoreContract, connectionsContract } from '#test/contracts/connections.ts';
import { grantsContract } from '#test/contracts/grants.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Subject } from '#test/contracts/kit/subject.ts';
import { leasesContract } from '#test/contracts/leases.ts';
import { mcpSessionsContract } from '#test/contracts/mcp-sessions.ts';
import { mcpTransportContract } from '#test/contracts/mcp-transport.ts';
import { noteLinksContract } from '#test/contracts/note-links.ts';
import { partyDirectoryContract } from '#test/contracts/party-directory.ts';
import { partyLinksContract } from '#test/contracts/party-links.ts';
import { pendingConnectsContract } from '#test/contracts/pending-connects.ts';
import { rateLimitsContract } from '#test/contracts/rate-limits.ts';
import { receiptsContract } from '#test/contracts/receipts.ts';
import { registrationsContract } from '#test/contracts/registrations.ts';
import { serverMessagesContract } from '#test/contracts/server-messages.ts';
import { usersContract } from '#test/contracts/users.ts';
import { vaultNotesContract } from '#test/contracts/vault-notes.ts';
import { webhookInboxContract, webhookInboxStoreContract } from '#test/contracts/webhook-inbox.ts';
import { broken } from '#test/mutants/broken.ts';
import type { Change } from '#test/mutants/mutant.ts';

/** A subject to register the suite for: where its module is loaded from, its name, and how its calls are changed. */
export type Judging = Readonly<{ url: string; on: string; runner: Runner; change: Change | null }>;

/** A port with a suite: the module that has its subjects, and how the suite is registered for one of them. */
export type JudgedPort = Readonly<{ port: string; path: string; register(judging: Judging): Promise<void> }>;

function judged<One extends Subject<object>>(
  port: string,
  stores: (url: string) => Promise<readonly One[]>,
  suite: (runner: Runner, subject: One) => void,
): JudgedPort {
  return {
    port,
    path: `test/support/contracts/${port}.ts`,
    register: async (judging) => {
      const found = chosen(await stores(judging.url), judging);
      if (found === null) throw new Error(`${port}: no subject is called ${judging.on}`);
      suite(judging.runner, found);
    },
  };
}

/** The subject of that name, its store broken by the change; null when there is none. */
function chosen<One extends Subject<object>>(subjects: readonly One[], { on, change }: Judging): One | null {
  const found = subjects.find(({ name }) => name === on);
  if (found === undefined) return null;
  // What a suite asks of a subject beyond the usual stays as it is.
  return change === null ? found : { ...found, ...broken(found, change) };
}

/** A port of which stores do more than what is wrapped around them. */
function wrapped<Store extends Subject<object>, Wrapped extends Subject<object>>(
  port: string,
  subjects: (url: string) => Promise<Readonly<{ stores: readonly Store[]; wrapped: readonly Wrapped[] }>>,
  suites: Readonly<{ store(runner: Runner, subject: Store): void; wrapped(runner: Runner, subject: Wrapped): void }>,
): JudgedPort {
  return {
    port,
    path: `test/support/contracts/${port}.ts`,
    register: async (judging) => {
      const found = await subjects(judging.url);
      const store = chosen(found.stores, judging);
      const outer = chosen(found.wrapped, judging);
      if (store !== null) suites.store(judging.runner, store);
      else if (outer !== null) suites.wrapped(judging.runner, outer);
      else throw new Error(`${port}: no subject is called ${judging.on}`);
    },
  };
}

/** Every port with a suite. */
export const ports: readonly JudgedPort[] = [
  judged(
    'clients',
    async (url) => {
      const { clientStores }: typeof import('#test/support/contracts/clients.ts') = await import(url);
      return clientStores;
    },
    clientsContract,
  ),
  judged(
    'authorization-codes',
    async (url) => {
      const { authorizationCodeStores }: typeof import('#test/support/contracts/authorization-codes.ts') = await import(
        url
      );
      return authorizationCodeStores;
    },
    authorizationCodesContract,
  ),
  judged(
    'users',
    async (url) => {
      const { userStores }: typeof import('#test/support/contracts/users.ts') = await import(url);
      return userStores;
    },
    usersContract,
  ),
  judged(
    'grants',
    async (url) => {
      const { grantStores }: typeof import('#test/support/contracts/grants.ts') = await import(url);
      return grantStores;
    },
    grantsContract,
  ),
  wrapped(
    'connections',
    async (url) => {
      const module: typeof import('#test/support/contracts/connections.ts') = await import(url);
      return { stores: module.connectionStores, wrapped: module.wrappedConnections };
    },
    { store: connectionStoreContract, wrapped: connectionsContract },
  ),
  wrapped(
    'webhook-inbox',
    async (url) => {
      const module: typeof import('#test/support/contracts/webhook-inbox.ts') = await import(url);
      return { stores: module.inboxStores, wrapped: module.wrappedInboxes };
    },
    { store: webhookInboxStoreContract, wrapped: webhookInboxContract },
  ),
  judged(
    'leases',
    async (url) => {
      const { leaseStores }: typeof import('#test/support/contracts/leases.ts') = await import(url);
      return leaseStores;
    },
    leasesContract,
  ),
  judged(
    'receipts',
    async (url) => {
      const { receiptStores }: typeof import('#test/support/contracts/receipts.ts') = await import(url);
      return receiptStores;
    },
    receiptsContract,
  ),
  judged(
    'registrations',
    async (url) => {
      const { registrationStores }: typeof import('#test/support/contracts/registrations.ts') = await import(url);
      return registrationStores;
    },
    registrationsContract,
  ),
  judged(
    'note-links',
    async (url) => {
      const { noteLinkStores }: typeof import('#test/support/contracts/note-links.ts') = await import(url);
      return noteLinkStores;
    },
    noteLinksContract,
  ),
  judged(
    'party-links',
    async (url) => {
      const { partyLinkStores }: typeof import('#test/support/contracts/party-links.ts') = await import(url);
      return partyLinkStores;
    },
    partyLinksContract,
  ),
  judged(
    'pending-connects',
    async (url) => {
      const { pendingConnectStores }: typeof import('#test/support/contracts/pending-connects.ts') = await import(url);
      return pendingConnectStores;
    },
    pendingConnectsContract,
  ),
  judged(
    'rate-limits',
    async (url) => {
      const { rateLimitStores }: typeof import('#test/support/contracts/rate-limits.ts') = await import(url);
      return rateLimitStores;
    },
    rateLimitsContract,
  ),
  judged(
    'server-messages',
    async (url) => {
      const { serverMessages }: typeof import('#test/support/contracts/server-messages.ts') = await import(url);
      return serverMessages;
    },
    serverMessagesContract,
  ),
  judged(
    'mcp-sessions',
    async (url) => {
      const { mcpSessionStores }: typeof import('#test/support/contracts/mcp-sessions.ts') = await import(url);
      return mcpSessionStores;
    },
    mcpSessionsContract,
  ),
  judged(
    'party-directory',
    async (url) => {
      const { partyDirectories }: typeof import('#test/support/contracts/party-directory.ts') = await import(url);
      return partyDirectories;
    },
    partyDirectoryContract,
  ),
  judged(
    'vault-notes',
    async (url) => {
      const { vaults }: typeof import('#test/support/contracts/vault-notes.ts') = await import(url);
      return vaults;
    },
    vaultNotesContract,
  ),
  {
    port: 'mcp-transport',
    path: 'test/support/contracts/mcp-transport.ts',
    register: async ({ url, on, runner }) => {
      const { mcpTransports }: typeof import('#test/support/contracts/mcp-transport.ts') = await import(url);
      const found = mcpTransports.find(({ name }) => name === on);
      if (found === undefined) throw new Error(`mcp-transport: no subject is called ${on}`);
      mcpTransportContract(runner, found);
    },
  },
];
