import { serviceOf } from '#adapters/services/definitions/service-of.ts';
import { suiteCrmKind } from '#adapters/services/suite-crm/kind.ts';
import { neutral } from '#adapters/services/suite-crm/neutral/vendor.ts';
import { zoho } from '#adapters/services/suite-crm/zoho/vendor.ts';

/** The suite CRM, and its vendors. */
export const suiteCrm = serviceOf(suiteCrmKind, [neutral, zoho]);
