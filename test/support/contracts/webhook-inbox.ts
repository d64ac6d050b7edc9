import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { sealedInbox } from '#adapters/stores/sealed-stores.ts';
import type { WebhookInbox, WebhookInboxStore } from '#application/ports/webhook-inbox.ts';
import type { Opened } from '#test/contracts/kit/subject.ts';
import type { InboxSubject } from '#test/contracts/webhook-inbox.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { encrypted } from '#test/support/contracts/connections.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

const tables = ['webhook_inbox'];

/** The inbox in a database. */
export const sqlInbox: SqlStore<WebhookInboxStore> = {
  tables,
  make: (database, { clock }) => new SqlWebhookInbox(database, clock),
};

/** The inbox in a database, encrypted. */
export const encryptedInbox: SqlStore<WebhookInbox> = {
  name: 'encrypted over SQLite',
  tables,
  make: (database, { clock }) => sealedInbox(new SqlWebhookInbox(database, clock), testBox),
};

/** The inboxes that this project has. */
export const inboxStores: readonly InboxSubject<WebhookInboxStore, Opened<WebhookInboxStore>>[] = [
  encrypted(
    memorySubject<WebhookInboxStore>('memory', ({ clock }) => new MemoryWebhookInbox(clock)),
    false,
  ),
  encrypted(sqliteSubject(sqlInbox), false),
];

/** The inbox as the server wraps it. */
export const wrappedInboxes: readonly InboxSubject<WebhookInbox, Opened<WebhookInbox>>[] = [
  encrypted(sqliteSubject(encryptedInbox), true),
];
