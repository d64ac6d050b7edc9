/**
 * What the compiler says of configurations: `npm run types` fails when one of these is accepted, or when the right one is
 * refused (CONF-004). Nothing here runs.
 */
import { defineConfig } from '#bootstrap/package/index.ts';
import type { Stores } from '#bootstrap/package/ports.ts';
import { MemoryUsers, MemoryVaultNotes, memoryStores } from '#bootstrap/package/testing.ts';
import { FileUsers } from '#test/examples/config/file-users.ts';
import { helpdesk } from '#test/examples/helpdesk/service.ts';

export const right = [
  defineConfig({}),
  defineConfig({ stores: ({ dataDir }) => ({ users: new FileUsers(dataDir) }), services: [helpdesk] }),
  defineConfig({ stores: async () => memoryStores(), sink: async () => new MemoryVaultNotes() }),
  defineConfig({ services: (builtIn) => [...builtIn.filter(({ key }) => key !== 'signing'), helpdesk] }),
];

export const wrong = [
  // @ts-expect-error -- The configuration has no such member.
  defineConfig({ store: () => ({}) }),
  // @ts-expect-error -- There is no store of this name.
  defineConfig({ stores: () => ({ outboundTokens: memoryStores().connections }) }),
  // @ts-expect-error -- A store has `ready` and `close` in addition to its port.
  defineConfig({ stores: () => ({ users: new MemoryUsers() }) }),
  // @ts-expect-error -- It is the store of another name.
  defineConfig({ stores: () => ({ users: memoryStores().leases }) }),
  // @ts-expect-error -- A method answers something else.
  defineConfig({ stores: () => ({ leases: { ...memoryStores().leases, release: async () => 'released' } }) }),
  // @ts-expect-error -- A sink of notes has more methods.
  defineConfig({ sink: () => ({ read: async () => null }) }),
  // @ts-expect-error -- A service is made by `defineService`.
  defineConfig({ services: [{ key: 'help_desk' }] }),
];

/** Each store can be left out, and none can be given as nothing. */
export const some: Partial<Stores> = { users: memoryStores().users };
