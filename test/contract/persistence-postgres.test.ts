import * as runner from 'vitest';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { SealedConnections } from '#adapters/connections/sealed-connections.ts';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { connectionStoreContract, connectionsContract } from '#test/contract/connections.contract.ts';
import { webhookInboxContract } from '#test/contract/webhook-inbox.contract.ts';
import { leasesContract } from '#test/contracts/leases.ts';
import { noteLinksContract } from '#test/contracts/note-links.ts';
import { partyLinksContract } from '#test/contracts/party-links.ts';
import { receiptsContract } from '#test/contracts/receipts.ts';
import { registrationsContract } from '#test/contracts/registrations.ts';
import { usersContract } from '#test/contracts/users.ts';
import { sqlLeases } from '#test/support/contracts/leases.ts';
import { sqlNoteLinks } from '#test/support/contracts/note-links.ts';
import { sqlPartyLinks } from '#test/support/contracts/party-links.ts';
import { sqlReceipts } from '#test/support/contracts/receipts.ts';
import { sqlRegistrations } from '#test/support/contracts/registrations.ts';
import { postgresSubject } from '#test/support/contracts/sql-subject.ts';
import { sqlUsers } from '#test/support/contracts/users.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, type TestDatabase, testBox } from '#test/support/persistence/test-database.ts';

const server = await startPostgres();

if (typeof server === 'string') describe.skip(`PostgreSQL: ${server}`, () => it('has no server', () => undefined));
else {
  let opened: TestDatabase;
  const tables =
    'users, outbound_tokens, connection_standings, webhook_inbox, leases, note_links, subscriptions, ' +
    'webhook_secret_uses, webhook_stale, party_links';
  const fresh = async () => {
    await opened.database.em.fork().execute(`truncate ${tables} restart identity`);
    return opened.database;
  };
  const close = async () => undefined;

  beforeAll(async () => {
    opened = await openTestPostgres(server.url);
  });
  afterAll(async () => {
    await opened.close();
    await server.stop();
  });

  webhookInboxContract('PostgreSQL', async (clock) => {
    return { inbox: new SqlWebhookInbox(await fresh(), clock), close };
  });
  leasesContract(
    runner,
    postgresSubject(sqlLeases, () => opened),
  );
  usersContract(
    runner,
    postgresSubject(sqlUsers, () => opened),
  );
  connectionsContract('PostgreSQL', async () => ({
    connections: new MikroOrmConnections(await fresh()),
    close,
  }));
  connectionStoreContract('PostgreSQL', async () => ({
    connections: new MikroOrmConnections(await fresh()),
    close,
  }));
  receiptsContract(
    runner,
    postgresSubject(sqlReceipts, () => opened),
  );
  registrationsContract(
    runner,
    postgresSubject(sqlRegistrations, () => opened),
  );
  noteLinksContract(
    runner,
    postgresSubject(sqlNoteLinks, () => opened),
  );
  partyLinksContract(
    runner,
    postgresSubject(sqlPartyLinks, () => opened),
  );
  connectionsContract('sealed over PostgreSQL', async () => ({
    connections: new SealedConnections(new MikroOrmConnections(await fresh()), testBox),
    close,
  }));
}
