import assert from 'node:assert/strict';
import type {
  ConnectionPlace,
  ConnectionStore,
  Connections,
  StoredConnection,
} from '#application/ports/connections.ts';
import type { ConnectionStatus } from '#domain/connections/connection-status.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { type Clause, contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText } from '#test/contracts/kit/texts.ts';

const since = 1_769_172_700_503;

const oauth = (): TokenRecord => ({
  userId: 7,
  service: 'suite_crm',
  authMethod: 'oauth',
  accessToken: 'access-token-ABC-1',
  refreshToken: 'refresh-token-XYZ-1',
  scope: 'ZohoCRM.modules.ALL,ZohoCRM.users.ALL',
  expiresAt: 1_769_172_798_123,
  extra: {
    api_domain: 'https://api.example',
    data_center: 'EU',
    text: `${oddText}\u0000`,
    list: [1, null, { deep: false }],
  },
  updatedAt: 1_769_172_700_001,
});
const key = (): TokenRecord => ({
  userId: 7,
  service: 'vault',
  authMethod: 'api_key',
  accessToken: oddText,
  refreshToken: null,
  scope: null,
  expiresAt: null,
  extra: {},
  updatedAt: 1_769_172_700_002,
});
/** The same service for another user. */
const others = (): TokenRecord => ({
  ...oauth(),
  userId: 8,
  accessToken: 'access-token-of-8',
  refreshToken: 'refresh-token-of-8',
});

const works: ConnectionStatus = { state: 'connected', since, reason: null };
const rejections = { firstAt: since - 7, probes: 2, probeAt: since + 60_001 };
const degraded: ConnectionStatus = { state: 'degraded', since: since + 1, reason: `It does not answer. ${oddText}` };
const held: ConnectionStatus = { ...degraded, rejections };
const place = ({ userId, service }: TokenRecord): ConnectionPlace => ({ userId, service });
const inOrder = (places: readonly ConnectionPlace[]) =>
  places.map(({ userId, service }) => `${userId}/${service}`).toSorted();

/** Connections under test; `encrypted` says whether the server's encryption wraps the store that `raw` reads. */
export type ConnectionsSubject<Port extends Connections, Handle extends Opened<Port>> = Subject<Port, Handle> &
  Readonly<{ supports: Readonly<{ encrypted: boolean }> }>;

/** Contract suite of connections, with or without decorators: outbound tokens, and the status of each connection. */
export function connectionsContract<Handle extends Opened<Connections>>(
  runner: Runner,
  subject: ConnectionsSubject<Connections, Handle>,
): void {
  const { encrypted } = subject.supports;
  contract<Connections, Handle>(runner, subject, { port: 'connections', extras: { encrypted }, define: commonClauses });
}

/** Contract suite of connection stores: the suite of connections, and the methods for key rotation. */
export function connectionStoreContract<Handle extends Opened<ConnectionStore>>(
  runner: Runner,
  subject: ConnectionsSubject<ConnectionStore, Handle>,
): void {
  const { encrypted } = subject.supports;
  contract<ConnectionStore, Handle>(runner, subject, {
    port: 'store of connections',
    extras: { encrypted },
    define: (clause) => {
      commonClauses(clause);
      storeClauses(clause);
    },
  });
}

const byService = (list: readonly StoredConnection[]) =>
  list.toSorted((left, right) => (left.record.service < right.record.service ? -1 : 1));

function commonClauses(clause: Clause<Connections>): void {
  clause('CONNECTIONS-001 returns every field as it was saved', async ({ port }) => {
    await port.save(oauth(), works);
    await port.save(key(), held);
    await port.save(others(), { ...works, since: since + 9 });
    for (const look of [port.find.bind(port), port.reload.bind(port)]) {
      assert.deepEqual(await look(7, 'suite_crm'), { record: oauth(), status: works });
      assert.deepEqual(await look(7, 'vault'), { record: key(), status: held });
      assert.deepEqual(await look(8, 'suite_crm'), { record: others(), status: { ...works, since: since + 9 } });
    }
  });

  clause(
    'CONNECTIONS-040 lists the states of the connections of several users, without credentials',
    async ({ port }) => {
      await port.save(oauth(), works);
      await port.save(key(), held);
      await port.save(others(), works);
      await port.save({ ...others(), userId: 9 }, works);
      const stated = { isTeams: false } as const;
      assert.deepEqual(await port.statesOf([8, 7, 70]), [
        { ...stated, userId: 7, service: 'suite_crm', state: 'connected' },
        { ...stated, userId: 7, service: 'vault', state: 'degraded' },
        { ...stated, userId: 8, service: 'suite_crm', state: 'connected' },
      ]);
      assert.deepEqual(await port.statesOf([]), []);
    },
  );

  clause('CONNECTIONS-002 has no connection that was not saved', async ({ port }) => {
    await port.save(oauth(), works);
    for (const [userId, service] of [
      [7, 'tracker'],
      [8, 'suite_crm'],
      [7, 'Suite_crm'],
      [1, 'suite_crm'],
    ] as const) {
      assert.equal(await port.find(userId, service), null);
      assert.equal(await port.reload(userId, service), null);
    }
  });

  clause(
    'CONNECTIONS-003 has one connection per user and service, the one saved last with its status (CONN-001)',
    async ({ port }) => {
      await port.save(oauth(), held);
      const replaced = { ...key(), service: 'suite_crm', updatedAt: oauth().updatedAt };
      await port.save(replaced, works);
      assert.deepEqual(await port.list(7), [{ record: replaced, status: works }]);
      assert.deepEqual(await port.dueForProbe(rejections.probeAt), []);
      await port.save(oauth(), held);
      assert.deepEqual(await port.list(7), [{ record: oauth(), status: held }]);
    },
  );

  clause('CONNECTIONS-004 lists a user’s connections, and their services alone', async ({ port }) => {
    await port.save(key(), degraded);
    await port.save(oauth(), works);
    await port.save({ ...others(), service: 'sales_crm' }, works);
    assert.deepEqual(byService(await port.list(7)), [
      { record: oauth(), status: works },
      { record: key(), status: degraded },
    ]);
    assert.deepEqual(await port.list(3), []);
    const { services, isInTeamVault } = await port.overview(7);
    assert.deepEqual([[...services].toSorted(), isInTeamVault], [['suite_crm', 'vault'], false]);
    assert.equal((await port.overview(3)).services.size, 0);
  });

  clause('CONNECTIONS-005 removes a connection with its status, once, and leaves the others', async ({ port }) => {
    await port.save(oauth(), held);
    await port.save(key(), works);
    await port.save(others(), held);
    assert.equal(await port.remove(7, 'suite_crm'), true);
    assert.equal(await port.remove(7, 'suite_crm'), false);
    assert.deepEqual(await port.list(7), [{ record: key(), status: works }]);
    assert.deepEqual(await port.list(8), [{ record: others(), status: held }]);
    assert.deepEqual(await port.dueForProbe(rejections.probeAt), [place(others())]);
  });

  clause(
    'CONNECTIONS-006 lists connections of all users with renewable tokens, for the background job',
    async ({ port }) => {
      await port.save(oauth(), held);
      await port.save(key(), works);
      await port.save(others(), works);
      await port.save({ ...oauth(), userId: 3, refreshToken: null }, works);
      await port.save({ ...oauth(), userId: 4, expiresAt: null }, works);
      assert.deepEqual(inOrder(await port.renewable()), ['7/suite_crm', '8/suite_crm']);
    },
  );

  clause('CONNECTIONS-025 lists of those, when asked, all that are due', async ({ port }) => {
    const { updatedAt } = oauth();
    const due = async (storedUntil: number, expiresUntil: number) => {
      const services = [{ service: 'suite_crm', storedUntil }];
      return inOrder(await port.renewable({ services, expiresUntil }));
    };
    await port.save({ ...oauth(), expiresAt: updatedAt + 1_000 }, works);
    await port.save({ ...others(), updatedAt: updatedAt - 100, expiresAt: updatedAt + 500 }, works);
    assert.deepEqual(await due(updatedAt, 0), ['7/suite_crm', '8/suite_crm']);
    assert.deepEqual(await due(0, updatedAt + 1_000), ['7/suite_crm', '8/suite_crm']);
    const early = [await due(updatedAt - 100, 0), await due(0, updatedAt + 500)];
    for (const found of early) assert.ok(found.includes('8/suite_crm'), found.join());
  });

  clause(
    'CONNECTIONS-007 replaces credentials that are unchanged since they were read, and becomes connected',
    async ({ port }) => {
      const renewed = {
        ...oauth(),
        accessToken: 'access-2',
        refreshToken: 'refresh-2',
        expiresAt: since + 5,
        updatedAt: since + 3,
      };
      await port.save(oauth(), held);
      await port.save(others(), held);
      assert.equal(await port.replace(oauth(), renewed), true);
      const status = { state: 'connected', since: since + 3, reason: null };
      assert.deepEqual(await port.reload(7, 'suite_crm'), { record: renewed, status });
      assert.deepEqual(await port.reload(8, 'suite_crm'), { record: others(), status: held });
      assert.deepEqual(await port.dueForProbe(rejections.probeAt), [place(others())]);
    },
  );

  clause(
    'CONNECTIONS-008 keeps the time since when it is connected when credentials are replaced',
    async ({ port }) => {
      await port.save(oauth(), works);
      assert.equal(await port.replace(oauth(), { ...oauth(), accessToken: 'access-2', updatedAt: since + 3 }), true);
      assert.deepEqual((await port.reload(7, 'suite_crm'))?.status, works);
    },
  );

  clause(
    'CONNECTIONS-009 does not replace credentials that have changed, nor restore removed ones',
    async ({ port }) => {
      await port.save(oauth(), degraded);
      const byUser = { ...oauth(), accessToken: 'access-of-the-user' };
      await port.save(byUser, degraded);
      const renewed = { ...oauth(), accessToken: 'access-2' };
      assert.equal(await port.replace(oauth(), renewed), false);
      assert.deepEqual(await port.reload(7, 'suite_crm'), { record: byUser, status: degraded });
      await port.remove(7, 'suite_crm');
      assert.equal(await port.replace(byUser, renewed), false);
      assert.equal(await port.reload(7, 'suite_crm'), null);
    },
  );

  clause('CONNECTIONS-010 lets exactly one of many callers replace the same credentials', async ({ port }) => {
    await port.save(oauth(), works);
    const tokens = ['a', 'b', 'c', 'd'];
    const replaced = await Promise.all(tokens.map((accessToken) => port.replace(oauth(), { ...oauth(), accessToken })));
    assert.equal(replaced.filter(Boolean).length, 1);
    assert.equal((await port.reload(7, 'suite_crm'))?.record.accessToken, tokens[replaced.indexOf(true)]);
  });

  clause('CONNECTIONS-011 changes the status of one connection and nothing else', async ({ port }) => {
    await port.save(oauth(), works);
    await port.save(others(), works);
    await port.save(key(), works);
    assert.equal(await port.changeStatus(place(oauth()), held), true);
    assert.deepEqual(await port.reload(7, 'suite_crm'), { record: oauth(), status: held });
    assert.deepEqual(await port.reload(8, 'suite_crm'), { record: others(), status: works });
    assert.deepEqual(await port.reload(7, 'vault'), { record: key(), status: works });
    assert.equal(await port.changeStatus(place(oauth()), works), true);
    assert.deepEqual(await port.reload(7, 'suite_crm'), { record: oauth(), status: works });
  });

  clause('CONNECTIONS-012 changes no status without a connection, and creates none', async ({ port }) => {
    assert.equal(await port.changeStatus(place(oauth()), held), false);
    assert.deepEqual(await port.dueForProbe(rejections.probeAt), []);
    await port.save(others(), works);
    assert.equal(await port.changeStatus(place(oauth()), held), false);
    assert.equal(await port.reload(7, 'suite_crm'), null);
  });

  clause(
    'CONNECTIONS-013 lists the refused credentials that are due for a probe, from exactly that time',
    async ({ port }) => {
      await port.save(oauth(), held);
      await port.save(key(), { ...degraded, rejections: { ...rejections, probeAt: null } });
      await port.save({ ...key(), service: 'signing' }, degraded);
      await port.save(others(), { ...degraded, rejections: { ...rejections, probeAt: rejections.probeAt + 1 } });
      assert.deepEqual(await port.dueForProbe(rejections.probeAt - 1), []);
      assert.deepEqual(await port.dueForProbe(rejections.probeAt), [place(oauth())]);
      assert.deepEqual(inOrder(await port.dueForProbe(rejections.probeAt + 1)), ['7/suite_crm', '8/suite_crm']);
      await port.changeStatus(place(oauth()), works);
      assert.deepEqual(await port.dueForProbe(rejections.probeAt), []);
    },
  );

  clause('CONNECTIONS-014 ignores a status from before the credentials were updated', async ({ port }) => {
    await port.save({ ...oauth(), updatedAt: degraded.since + 1 }, held);
    const status = { state: 'connected', since: degraded.since + 1, reason: null };
    assert.deepEqual((await port.reload(7, 'suite_crm'))?.status, status);
    assert.deepEqual((await port.list(7))[0]?.status, status);
    await port.save({ ...oauth(), updatedAt: degraded.since }, held);
    assert.deepEqual((await port.reload(7, 'suite_crm'))?.status, held);
  });

  clause('CONNECTIONS-017 stores each state, and the absence of a reason and of rejections', async ({ port }) => {
    for (const state of ['connected', 'unchecked', 'degraded', 'reconnect'] as const) {
      const status = { state, since: since + 2, reason: state === 'unchecked' ? null : state };
      await port.save(oauth(), status);
      assert.deepEqual((await port.reload(7, 'suite_crm'))?.status, status);
    }
    for (const authMethod of ['oauth', 'api_key', 'personal_token'] as const) {
      await port.save({ ...oauth(), authMethod }, works);
      assert.equal((await port.reload(7, 'suite_crm'))?.record.authMethod, authMethod);
    }
  });

  clause('CONNECTIONS-018 saves all of several connections concurrently', async ({ port }) => {
    const services = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'];
    const all = [7, 8].flatMap((userId) => services.map((service) => ({ ...oauth(), userId, service })));
    await Promise.all(all.map((record) => port.save(record, works)));
    for (const userId of [7, 8]) assert.equal((await port.list(userId)).length, services.length);
    for (const record of all)
      assert.deepEqual(await port.reload(record.userId, record.service), { record, status: works });
  });

  clause('CONNECTIONS-019 never mixes connections that are saved concurrently', async ({ port }) => {
    const pairs = [
      { record: oauth(), status: held },
      { record: { ...key(), service: 'suite_crm' }, status: works },
      {
        record: { ...oauth(), accessToken: 'third', extra: { third: true } },
        status: { ...degraded, reason: 'third' },
      },
    ];
    await Promise.all(pairs.map(({ record, status }) => port.save(record, status)));
    const stored = await port.reload(7, 'suite_crm');
    const same = pairs.find(({ record }) => record.accessToken === stored?.record.accessToken);
    assert.deepEqual(stored, same);
  });

  clause(
    'CONNECTIONS-020 keeps no reference: values that were given or returned may be changed afterwards',
    async ({ port }) => {
      const [record, status] = [oauth(), { ...held, rejections: { ...rejections } }];
      await port.save(record, status);
      tamper(record);
      tamper(status);
      const expected = { record: oauth(), status: held };
      assert.deepEqual(await port.find(7, 'suite_crm'), expected);
      for (const look of [
        () => port.find(7, 'suite_crm'),
        () => port.reload(7, 'suite_crm'),
        () => port.list(7),
        () => port.overview(7),
        () => port.renewable(),
        () => port.dueForProbe(rejections.probeAt),
      ]) {
        tamper(await look());
        assert.deepEqual(await port.find(7, 'suite_crm'), expected);
        assert.deepEqual(await port.list(7), [expected]);
        assert.deepEqual([...(await port.overview(7)).services], ['suite_crm']);
      }
    },
  );

  clause('CONNECTIONS-021 shows each change at once to callers that have read before', async ({ port }) => {
    const seen = async () => [await port.find(7, 'suite_crm'), (await port.overview(7)).services.size];
    assert.deepEqual(await seen(), [null, 0]);
    await port.save(oauth(), works);
    assert.deepEqual(await seen(), [{ record: oauth(), status: works }, 1]);
    const renewed = { ...oauth(), accessToken: 'access-2' };
    await port.replace(oauth(), renewed);
    assert.deepEqual(await seen(), [{ record: renewed, status: works }, 1]);
    await port.changeStatus(place(oauth()), held);
    assert.deepEqual(await seen(), [{ record: renewed, status: held }, 1]);
    await port.remove(7, 'suite_crm');
    assert.deepEqual(await seen(), [null, 0]);
  });

  clause(
    'CONNECTIONS-022 lets exactly one of two processes replace the same credentials',
    async ({ port, beside }) => {
      const other = await beside();
      await port.save(oauth(), works);
      const processes = [port, other, port, other];
      const replaced = await Promise.all(
        processes.map((one, index) => one.replace(oauth(), { ...oauth(), accessToken: `access-${index}` })),
      );
      assert.equal(replaced.filter(Boolean).length, 1);
      const { accessToken } = (await other.reload(7, 'suite_crm'))?.record ?? oauth();
      assert.equal(accessToken, `access-${replaced.indexOf(true)}`);
    },
    'processes',
  );

  clause('CONNECTIONS-023 is removed once when many callers remove it concurrently', async ({ port }) => {
    await port.save(oauth(), works);
    const removed = await Promise.all([1, 2, 3, 4].map(() => port.remove(7, 'suite_crm')));
    assert.equal(removed.filter(Boolean).length, 1);
    assert.equal(await port.reload(7, 'suite_crm'), null);
  });

  clause(
    'CONNECTIONS-905 stores no readable token when the encryption wraps it',
    async ({ port, raw }) => {
      await port.save(oauth(), works);
      await port.save(others(), works);
      await port.replace(others(), {
        ...others(),
        accessToken: 'access-token-ABC-2',
        refreshToken: 'refresh-token-XYZ-2',
      });
      const stored = await raw();
      assert.ok(stored.includes('suite_crm'));
      assert.ok(!/(?:access|refresh)-token/.test(stored), 'A token is stored as it is');
    },
    'raw',
    'encrypted',
  );

  clause(
    'CONNECTIONS-906 stores tokens as given, if nothing is declared to encrypt them before',
    async ({ port, raw }) => {
      await port.save(oauth(), works);
      const stored = await raw();
      for (const token of ['access-token-ABC-1', 'refresh-token-XYZ-1']) assert.ok(stored.includes(token));
    },
    'raw',
    'not encrypted',
  );

  lifeCycle(clause, {
    prefix: 'CONNECTIONS',
    fill: async (port) => {
      await port.save(oauth(), held);
      await port.save(key(), works);
      await port.save(others(), works);
      await port.replace(others(), { ...others(), accessToken: 'access-2' });
      await port.save({ ...key(), userId: 9 }, works);
      await port.remove(9, 'vault');
    },
    read: async (port) => [byService(await port.list(7)), await port.list(8), inOrder(await port.renewable())],
  });
}

function storeClauses(clause: Clause<ConnectionStore>): void {
  clause('CONNECTIONS-015 lists the places of all connections, by user and service', async ({ port }) => {
    assert.deepEqual(await port.places(), []);
    await port.save({ ...key(), userId: 10 }, works);
    await port.save(key(), degraded);
    await port.save(others(), works);
    await port.save(oauth(), works);
    assert.deepEqual(await port.places(), [
      place(oauth()),
      place(key()),
      place(others()),
      { userId: 10, service: 'vault' },
    ]);
  });

  clause('CONNECTIONS-016 rewrites the tokens that are still stored, and nothing else', async ({ port }) => {
    await port.save(oauth(), held);
    await port.save(others(), works);
    const rewritten = { ...oauth(), accessToken: 'access, in another form', refreshToken: 'refresh, in another form' };
    assert.equal(await port.rewrite({ ...oauth(), accessToken: 'no longer stored' }, rewritten), false);
    assert.deepEqual(await port.reload(7, 'suite_crm'), { record: oauth(), status: held });
    assert.equal(await port.rewrite(oauth(), rewritten), true);
    assert.deepEqual(await port.reload(7, 'suite_crm'), { record: rewritten, status: held });
    assert.deepEqual(await port.reload(8, 'suite_crm'), { record: others(), status: works });
    assert.equal(await port.rewrite({ ...oauth(), userId: 3 }, rewritten), false);
    assert.equal(await port.reload(3, 'suite_crm'), null);
  });

  clause('CONNECTIONS-024 rewrites the tokens once when many callers rewrite the same ones', async ({ port }) => {
    await port.save(oauth(), works);
    const texts = ['a', 'b', 'c', 'd'];
    const rewritten = await Promise.all(
      texts.map((accessToken) => port.rewrite(oauth(), { ...oauth(), accessToken, refreshToken: accessToken })),
    );
    assert.equal(rewritten.filter(Boolean).length, 1);
    const accessToken = texts[rewritten.indexOf(true)];
    assert.deepEqual((await port.reload(7, 'suite_crm'))?.record, {
      ...oauth(),
      accessToken,
      refreshToken: accessToken,
    });
  });
}
