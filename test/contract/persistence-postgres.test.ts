import { afterAll, beforeAll, describe, it } from 'vitest';
import { SealedConnections } from '#adapters/connections/sealed-connections.ts';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { SqlPartyLinks } from '#adapters/persistence/sql-party-links.ts';
import { SqlReceiptLog } from '#adapters/persistence/sql-receipt-log.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { SqlWebhookRegistrations } from '#adapters/persistence/sql-webhook-registrations.ts';
import { connectionsContract } from '#test/contract/connections.contract.ts';
import { deliveryLogContract } from '#test/contract/delivery-log.contract.ts';
import { leasesContract } from '#test/contract/leases.contract.ts';
import { receiptsContract } from '#test/contract/receipt-log.contract.ts';
import { usersContract } from '#test/contract/users.contract.ts';
import { webhookInboxContract } from '#test/contract/webhook-inbox.contract.ts';
import { webhookRegistrationsContract } from '#test/contract/webhook-registrations.contract.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, type TestDatabase, testBox } from '#test/support/persistence/test-database.ts';
import { deliveryLogOver } from '#test/support/webhooks/delivery-log.ts';

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
    return { inbox: new SqlWebhookInbox(await fresh(), testBox, clock), close };
  });
  leasesContract('PostgreSQL', async (clock) => ({ leases: new SqlLeases(await fresh(), clock), close }));
  connectionsContract('PostgreSQL', async () => ({
    connections: new MikroOrmConnections(await fresh()),
    close,
  }));
  usersContract('MikroOrmUsers on PostgreSQL', async () => new MikroOrmUsers(await fresh()));
  receiptsContract('PostgreSQL', async () => {
    const database = await fresh();
    return { receipts: new SqlReceiptLog(database), partyLinks: new SqlPartyLinks(database), close };
  });
  webhookRegistrationsContract('PostgreSQL', async () => ({
    registrations: new SqlWebhookRegistrations(await fresh()),
    close,
  }));
  deliveryLogContract('PostgreSQL', async (clock) => ({ ...deliveryLogOver(await fresh(), clock), close }));
  connectionsContract('sealed over PostgreSQL', async () => ({
    connections: new SealedConnections(new MikroOrmConnections(await fresh()), testBox),
    close,
  }));
}
