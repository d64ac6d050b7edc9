import { actionRows } from '#adapters/services/suite-crm/action-rows.ts';
import { attachedRows } from '#adapters/services/suite-crm/attached-rows.ts';
import { recordRows } from '#adapters/services/suite-crm/record-rows.ts';
import { settingsRows } from '#adapters/services/suite-crm/settings-rows.ts';

/** Every route of the contract's table (Outbound: suite CRM), and four beside it, each of which says why it is there. */
export const rows = { ...recordRows, ...attachedRows, ...actionRows, ...settingsRows } as const;
