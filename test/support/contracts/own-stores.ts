import '#test/support/services/five-services.ts';
import { activityLogContract } from '#test/contracts/activity-log.ts';
import { allowedOperationsContract } from '#test/contracts/allowed-operations.ts';
import { approvalsContract } from '#test/contracts/approvals.ts';
import { auditLogContract } from '#test/contracts/audit-log.ts';
import { authorizationCodesContract } from '#test/contracts/authorization-codes.ts';
import { clientsContract } from '#test/contracts/clients.ts';
import { connectionStoreContract, connectionsContract } from '#test/contracts/connections.ts';
import { grantsContract } from '#test/contracts/grants.ts';
import { keptChangesContract } from '#test/contracts/kept-changes.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import { leasesContract } from '#test/contracts/leases.ts';
import { noteLinksContract } from '#test/contracts/note-links.ts';
import { partyDirectoryContract } from '#test/contracts/party-directory.ts';
import { partyLinksContract } from '#test/contracts/party-links.ts';
import { pendingConnectsContract } from '#test/contracts/pending-connects.ts';
import { rateLimitsContract } from '#test/contracts/rate-limits.ts';
import { reactionLogContract } from '#test/contracts/reaction-log.ts';
import { receiptsContract } from '#test/contracts/receipts.ts';
import { registrationsContract } from '#test/contracts/registrations.ts';
import { usersContract } from '#test/contracts/users.ts';
import { vaultNotesContract } from '#test/contracts/vault-notes.ts';
import { webhookInboxContract, webhookInboxStoreContract } from '#test/contracts/webhook-inbox.ts';
import { activityLogs } from '#test/support/contracts/activity-log.ts';
import { allowedOperationStores } from '#test/support/contracts/allowed-operations.ts';
import { approvalStores } from '#test/support/contracts/approvals.ts';
import { auditLogs } from '#test/support/contracts/audit-log.ts';
import { authorizationCodeStores } from '#test/support/contracts/authorization-codes.ts';
import { clientStores } from '#test/support/contracts/clients.ts';
import { connectionStores, wrappedConnections } from '#test/support/contracts/connections.ts';
import { grantStores } from '#test/support/contracts/grants.ts';
import { keptChangeStores } from '#test/support/contracts/kept-changes.ts';
import { leaseStores } from '#test/support/contracts/leases.ts';
import { noteLinkStores } from '#test/support/contracts/note-links.ts';
import { memoryPartyDirectory } from '#test/support/contracts/party-directory.ts';
import { partyLinkStores } from '#test/support/contracts/party-links.ts';
import { pendingConnectStores } from '#test/support/contracts/pending-connects.ts';
import { rateLimitStores } from '#test/support/contracts/rate-limits.ts';
import { reactionLogs } from '#test/support/contracts/reaction-log.ts';
import { receiptStores } from '#test/support/contracts/receipts.ts';
import { registrationStores } from '#test/support/contracts/registrations.ts';
import { userStores } from '#test/support/contracts/users.ts';
import { memoryNotes } from '#test/support/contracts/vault-notes.ts';
import { inboxStores, wrappedInboxes } from '#test/support/contracts/webhook-inbox.ts';
import { casesOf } from '#test/support/form.ts';

/** In the short form of the suite, SQLite is tested only under the wrapped stores. */
const own = <Store extends Readonly<{ name: string }>>(stores: readonly Store[]): readonly Store[] =>
  casesOf(stores, ({ name }) => !name.includes('SQLite'));

/** Registers every suite for the stores in memory and in SQLite, with the functions of any runner. */
export function registerOwnStores(runner: Runner): void {
  for (const store of own(clientStores)) clientsContract(runner, store);
  for (const store of own(authorizationCodeStores)) authorizationCodesContract(runner, store);
  for (const store of own(userStores)) usersContract(runner, store);
  for (const store of own(activityLogs)) activityLogContract(runner, store);
  for (const store of own(auditLogs)) auditLogContract(runner, store);
  for (const store of own(keptChangeStores)) keptChangesContract(runner, store);
  for (const store of own(approvalStores)) approvalsContract(runner, store);
  for (const store of own(allowedOperationStores)) allowedOperationsContract(runner, store);
  for (const store of own(grantStores)) grantsContract(runner, store);
  for (const store of own(connectionStores)) connectionStoreContract(runner, store);
  for (const store of wrappedConnections) connectionsContract(runner, store);
  for (const store of own(inboxStores)) webhookInboxStoreContract(runner, store);
  for (const store of wrappedInboxes) webhookInboxContract(runner, store);
  for (const store of own(leaseStores)) leasesContract(runner, store);
  for (const store of own(receiptStores)) receiptsContract(runner, store);
  for (const store of own(reactionLogs)) reactionLogContract(runner, store);
  for (const store of own(registrationStores)) registrationsContract(runner, store);
  for (const store of own(noteLinkStores)) noteLinksContract(runner, store);
  for (const store of own(partyLinkStores)) partyLinksContract(runner, store);
  for (const store of own(pendingConnectStores)) pendingConnectsContract(runner, store);
  for (const store of own(rateLimitStores)) rateLimitsContract(runner, store);
  partyDirectoryContract(runner, memoryPartyDirectory);
  vaultNotesContract(runner, memoryNotes);
}
