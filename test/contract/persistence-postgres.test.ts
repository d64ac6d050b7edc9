import * as runner from 'vitest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { activityLogContract } from '#test/contracts/activity-log.ts';
import { addedServersContract } from '#test/contracts/added-servers.ts';
import { allowedOperationsContract } from '#test/contracts/allowed-operations.ts';
import { approvalsContract } from '#test/contracts/approvals.ts';
import { auditLogContract } from '#test/contracts/audit-log.ts';
import { authorizationCodesContract } from '#test/contracts/authorization-codes.ts';
import { clientsContract } from '#test/contracts/clients.ts';
import { connectionStoreContract, connectionsContract } from '#test/contracts/connections.ts';
import { grantsContract } from '#test/contracts/grants.ts';
import { identitiesContract } from '#test/contracts/identities.ts';
import { keptChangesContract } from '#test/contracts/kept-changes.ts';
import { leasesContract } from '#test/contracts/leases.ts';
import { mcpSessionsContract } from '#test/contracts/mcp-sessions.ts';
import { noteLinksContract } from '#test/contracts/note-links.ts';
import { notificationsContract } from '#test/contracts/notifications.ts';
import { partyLinksContract } from '#test/contracts/party-links.ts';
import { pendingConnectsContract } from '#test/contracts/pending-connects.ts';
import { pendingSignInsContract } from '#test/contracts/pending-sign-ins.ts';
import { pinnedToolsContract } from '#test/contracts/pinned-tools.ts';
import { rateLimitsContract } from '#test/contracts/rate-limits.ts';
import { reactionLogContract } from '#test/contracts/reaction-log.ts';
import { receiptsContract } from '#test/contracts/receipts.ts';
import { registrationsContract } from '#test/contracts/registrations.ts';
import { remoteClientsContract } from '#test/contracts/remote-clients.ts';
import { serverMessagesContract } from '#test/contracts/server-messages.ts';
import { sessionsContract } from '#test/contracts/sessions.ts';
import { usersContract } from '#test/contracts/users.ts';
import { webhookInboxStoreContract } from '#test/contracts/webhook-inbox.ts';
import { sqlActivity } from '#test/support/contracts/activity-log.ts';
import { sqlAddedServers } from '#test/support/contracts/added-servers.ts';
import { sqlAllowedOperations } from '#test/support/contracts/allowed-operations.ts';
import { sqlApprovals } from '#test/support/contracts/approvals.ts';
import { sqlAudit } from '#test/support/contracts/audit-log.ts';
import { sqlAuthorizationCodes } from '#test/support/contracts/authorization-codes.ts';
import { sqlClients } from '#test/support/contracts/clients.ts';
import { encrypted, sqlConnections, wrappedSqlConnections } from '#test/support/contracts/connections.ts';
import { sqlGrants } from '#test/support/contracts/grants.ts';
import { sqlIdentities } from '#test/support/contracts/identities.ts';
import { sqlKeptChanges } from '#test/support/contracts/kept-changes.ts';
import { sqlLeases } from '#test/support/contracts/leases.ts';
import { sqlMcpSessions } from '#test/support/contracts/mcp-sessions.ts';
import { sqlNoteLinks } from '#test/support/contracts/note-links.ts';
import { sqlNotifications } from '#test/support/contracts/notifications.ts';
import { sqlPartyLinks } from '#test/support/contracts/party-links.ts';
import { sqlPendingConnects } from '#test/support/contracts/pending-connects.ts';
import { sqlPendingSignIns } from '#test/support/contracts/pending-sign-ins.ts';
import { sqlPinnedTools } from '#test/support/contracts/pinned-tools.ts';
import { sqlRateLimits } from '#test/support/contracts/rate-limits.ts';
import { sqlReactionLog } from '#test/support/contracts/reaction-log.ts';
import { sqlReceipts } from '#test/support/contracts/receipts.ts';
import { sqlRegistrations } from '#test/support/contracts/registrations.ts';
import { sqlRemoteClients } from '#test/support/contracts/remote-clients.ts';
import { postgresMessages } from '#test/support/contracts/server-messages.ts';
import { sqlSessions } from '#test/support/contracts/sessions.ts';
import { postgresSubject } from '#test/support/contracts/sql-subject.ts';
import { sqlUsers } from '#test/support/contracts/users.ts';
import { sqlInbox } from '#test/support/contracts/webhook-inbox.ts';
import { countStatements, type StatementCounter } from '#test/support/network/statement-counter.ts';
import { plantInPostgres, plantInSqlite } from '#test/support/persistence/grown-statistics.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { postgresScans, sqliteScans, unlisted, withoutTexts } from '#test/support/persistence/statement-plans.ts';
import { openTestPostgres, openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';

/** What SQLite does not know. */
const isOfPostgres = /pg_|::|for update|clock_timestamp|extract\(|notify|collate "C"| ~ /i;

/** The statement with rows of values as SQLite has them, which are arrays on PostgreSQL. */
const withRowsOfSqlite = (text: string): string =>
  text.replace(/select \* from unnest\(((?:cast\(\$\d+ as \w+\[\]\)(?:, )?)+)\)/, (_, columns: string) => {
    const values = columns.split(', ').map(() => '?');
    return `values (${values.join(', ')})`;
  });

const server = await startPostgres();

if (typeof server === 'string') describe.skip(`PostgreSQL: ${server}`, () => it('has no server', () => undefined));
else {
  let opened: TestDatabase;
  let counter: StatementCounter;
  const statements = new Set<string>();
  beforeAll(async () => {
    counter = await countStatements(Number(new URL(server.url).port));
    opened = await openTestPostgres(server.url, counter.port);
    // Schema changes run once.
    counter.texts();
  });
  afterEach(() => {
    for (const text of counter.texts()) statements.add(withoutTexts(text));
  });
  afterAll(async () => {
    await opened.close();
    await counter.close();
    await server.stop();
  });

  mcpSessionsContract(
    runner,
    postgresSubject(sqlMcpSessions, () => opened),
  );
  serverMessagesContract(
    runner,
    postgresMessages(() => opened),
  );
  webhookInboxStoreContract(
    runner,
    encrypted(
      postgresSubject(sqlInbox, () => opened),
      false,
    ),
  );
  activityLogContract(
    runner,
    postgresSubject(sqlActivity, () => opened),
  );
  auditLogContract(
    runner,
    postgresSubject(sqlAudit, () => opened),
  );
  keptChangesContract(
    runner,
    postgresSubject(sqlKeptChanges, () => opened),
  );
  approvalsContract(
    runner,
    postgresSubject(sqlApprovals, () => opened),
  );
  allowedOperationsContract(
    runner,
    postgresSubject(sqlAllowedOperations, () => opened),
  );
  notificationsContract(
    runner,
    postgresSubject(sqlNotifications, () => opened),
  );
  sessionsContract(
    runner,
    postgresSubject(sqlSessions, () => opened),
  );
  identitiesContract(
    runner,
    postgresSubject(sqlIdentities, () => opened),
  );
  grantsContract(
    runner,
    postgresSubject(sqlGrants, () => opened),
  );
  leasesContract(
    runner,
    postgresSubject(sqlLeases, () => opened),
  );
  usersContract(
    runner,
    postgresSubject(sqlUsers, () => opened),
  );
  connectionStoreContract(
    runner,
    encrypted(
      postgresSubject(sqlConnections, () => opened),
      false,
    ),
  );
  reactionLogContract(
    runner,
    postgresSubject(sqlReactionLog, () => opened),
  );
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
  pinnedToolsContract(
    runner,
    postgresSubject(sqlPinnedTools, () => opened),
  );
  addedServersContract(
    runner,
    postgresSubject(sqlAddedServers, () => opened),
  );
  remoteClientsContract(
    runner,
    postgresSubject(sqlRemoteClients, () => opened),
  );
  partyLinksContract(
    runner,
    postgresSubject(sqlPartyLinks, () => opened),
  );
  clientsContract(
    runner,
    postgresSubject(sqlClients, () => opened),
  );
  authorizationCodesContract(
    runner,
    postgresSubject(sqlAuthorizationCodes, () => opened),
  );
  pendingConnectsContract(
    runner,
    postgresSubject(sqlPendingConnects, () => opened),
  );
  pendingSignInsContract(
    runner,
    postgresSubject(sqlPendingSignIns, () => opened),
  );
  rateLimitsContract(
    runner,
    postgresSubject(sqlRateLimits, () => opened),
  );
  connectionsContract(
    runner,
    encrypted(
      postgresSubject({ ...wrappedSqlConnections, name: 'encrypted and cached over PostgreSQL' }, () => opened),
      true,
    ),
  );

  describe('the statements of all stores', () => {
    // Those of the suites above.
    it('read no table whole on PostgreSQL, but for those of the list (EDGE-020)', async () => {
      expect(statements.size).toBeGreaterThan(150);
      expect(unlisted(await postgresScans(opened.database, statements))).toEqual([]);
    });

    it('read no table whole on a PostgreSQL that is a year old, but for those of the list (EDGE-020)', async (context) => {
      const large = await plantInPostgres(opened.database);
      // Those are the test's own.
      counter.texts();
      if (large === null) context.skip('This PostgreSQL is older than 18: nothing can be said of its tables.');
      expect(unlisted(await postgresScans(opened.database, statements, large))).toEqual([]);
    });

    it('read no table whole on SQLite, but for those of the list (EDGE-020)', async () => {
      const sqlite = await openTestSqlite();
      const own = [...statements].filter((text) => !isOfPostgres.test(text)).map(withRowsOfSqlite);
      expect(own.length).toBeGreaterThan(120);
      expect(unlisted(await sqliteScans(sqlite.database, own))).toEqual([]);
      await plantInSqlite(sqlite.database);
      expect(unlisted(await sqliteScans(sqlite.database, own))).toEqual([]);
      await sqlite.close();
    });
  });
}
