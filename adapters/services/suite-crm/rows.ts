import { actionRows } from '#adapters/services/suite-crm/operations/actions.ts';
import { attachedRows } from '#adapters/services/suite-crm/operations/attached.ts';
import { recordRows } from '#adapters/services/suite-crm/operations/records.ts';
import { settingsRows } from '#adapters/services/suite-crm/operations/settings.ts';

/** Every route of the suite CRM's interface (SUITE-003, SUITE-004), and four additional ones, each with its reason. */
export const rows = { ...recordRows, ...attachedRows, ...actionRows, ...settingsRows } as const;
