import { serviceOf } from '#adapters/services/definitions/service-of.ts';
import { hubspot } from '#adapters/services/sales-crm/hubspot/vendor.ts';
import { salesCrmKind } from '#adapters/services/sales-crm/kind.ts';
import { neutral } from '#adapters/services/sales-crm/neutral/vendor.ts';
import { pipedrive } from '#adapters/services/sales-crm/pipedrive/vendor.ts';

/** The sales CRM, and its vendors. */
export const salesCrm = serviceOf(salesCrmKind, [neutral, pipedrive, hubspot]);
