import { ConnectionStatusRow } from '#adapters/persistence/connection-status-row.ts';
import { NoteLinkRow } from '#adapters/persistence/note-link-row.ts';
import { OutboundTokenRow } from '#adapters/persistence/outbound-token-row.ts';
import { UserRow } from '#adapters/persistence/user-row.ts';

/**
 * The entities that the database is opened with. The `Sql…` stores have none, since they depend on exact statements.
 */
export const entities = [UserRow, OutboundTokenRow, ConnectionStatusRow, NoteLinkRow];
