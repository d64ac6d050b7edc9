import type { Stores } from '#application/ports/stores.ts';

type MethodsIn<Name extends keyof Stores> = Readonly<Record<keyof Stores[Name], true>>;

/** The methods of each store. The compiler rejects the table if one is missing. */
const methods: { readonly [Name in keyof Stores]: MethodsIn<Name> } = {
  users: { find: true, findByEmail: true, list: true, add: true, change: true, ready: true, close: true },
  clients: { keep: true, find: true, noteSignIn: true, ready: true, close: true },
  authorizationCodes: { keep: true, find: true, consume: true, ready: true, close: true },
  grants: { keep: true, find: true, list: true, noteUse: true, remove: true, prune: true, ready: true, close: true },
  activityLog: { add: true, list: true, apps: true, prune: true, ready: true, close: true },
  connections: {
    find: true,
    reload: true,
    list: true,
    overview: true,
    renewable: true,
    dueForProbe: true,
    save: true,
    replace: true,
    changeStatus: true,
    remove: true,
    places: true,
    rewrite: true,
    ready: true,
    close: true,
  },
  pendingConnects: { keep: true, take: true, ready: true, close: true },
  webhookInbox: {
    keep: true,
    claim: true,
    renew: true,
    end: true,
    body: true,
    find: true,
    list: true,
    counts: true,
    oldestOpen: true,
    lastReceived: true,
    wake: true,
    awaited: true,
    replay: true,
    skip: true,
    prune: true,
    bodies: true,
    rewriteBodies: true,
    ready: true,
    close: true,
  },
  reactionLog: {
    approve: true,
    withdraw: true,
    approvals: true,
    begin: true,
    wait: true,
    end: true,
    calls: true,
    touchedSince: true,
    noteRun: true,
    counts: true,
    scheduledTo: true,
    advance: true,
    setSwitch: true,
    switchedOff: true,
    setAside: true,
    setAsideNotes: true,
    ready: true,
    close: true,
  },
  receiptLog: { noteUse: true, uses: true, noteStale: true, stale: true, ready: true, close: true },
  webhookRegistrations: { list: true, keep: true, remove: true, ready: true, close: true },
  noteLinks: { find: true, keep: true, ready: true, close: true },
  partyLinks: { find: true, findByRemote: true, keep: true, ready: true, close: true },
  leases: { acquire: true, release: true, ready: true, close: true },
  serverFacts: { find: true, keepFirst: true, replace: true, ready: true, close: true },
  serverMessages: {
    ownId: true,
    isGone: true,
    publish: true,
    settled: true,
    listen: true,
    isAlone: true,
    isHearing: true,
    ready: true,
    close: true,
  },
  rateLimits: { take: true, giveBack: true, forget: true, ready: true, close: true },
};

/** The names of all stores. */
export const storeNames: readonly string[] = Object.keys(methods);

/** Returns the methods of the store with that name; empty for an unknown name. */
export function methodsOf(name: string): readonly string[] {
  return Object.entries(methods).flatMap(([store, of]) => (store === name ? Object.keys(of) : []));
}
