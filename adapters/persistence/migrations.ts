import { firstTables } from '#adapters/persistence/migrations/0001-first-tables.ts';
import { connectionStandings } from '#adapters/persistence/migrations/0002-connection-standings.ts';
import { webhookReceipts } from '#adapters/persistence/migrations/0003-webhook-receipts.ts';
import { subscriptions } from '#adapters/persistence/migrations/0005-subscriptions.ts';
import { serverFacts } from '#adapters/persistence/migrations/0006-server-facts.ts';
import { waitingDeliveries } from '#adapters/persistence/migrations/0010-waiting-deliveries.ts';
import { refusedCredentials } from '#adapters/persistence/migrations/0011-refused-credentials.ts';
import { signIns } from '#adapters/persistence/migrations/0020-sign-ins.ts';
import { rateLimits } from '#adapters/persistence/migrations/0021-rate-limits.ts';
import { serverMessages } from '#adapters/persistence/migrations/0030-server-messages.ts';
import { mcpSessions } from '#adapters/persistence/migrations/0031-mcp-sessions.ts';
import { appGrants } from '#adapters/persistence/migrations/0050-app-grants.ts';
import { userColumns } from '#adapters/persistence/migrations/0051-people.ts';
import { activity } from '#adapters/persistence/migrations/0052-activity.ts';
import { activityLinks } from '#adapters/persistence/migrations/0053-activity-links.ts';
import { reactionTables } from '#adapters/persistence/migrations/0080-reactions.ts';
import { inboxTraces } from '#adapters/persistence/migrations/0140-inbox-traces.ts';
import { sessions } from '#adapters/persistence/migrations/0200-sessions.ts';
import { codeUses } from '#adapters/persistence/migrations/0201-code-uses.ts';
import { reactionAsides } from '#adapters/persistence/migrations/0210-reaction-asides.ts';
import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** All schema changes in the order in which they run. A released one is never edited: add another. */
export const migrations: readonly SchemaChange[] = [
  firstTables,
  connectionStandings,
  webhookReceipts,
  subscriptions,
  serverFacts,
  waitingDeliveries,
  refusedCredentials,
  signIns,
  rateLimits,
  serverMessages,
  mcpSessions,
  appGrants,
  userColumns,
  activity,
  activityLinks,
  reactionTables,
  inboxTraces,
  sessions,
  codeUses,
  reactionAsides,
];
