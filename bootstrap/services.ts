import { salesCrm } from '#adapters/services/sales-crm/service.ts';
import type { Service } from '#adapters/services/service.ts';
import { signing } from '#adapters/services/signing/service.ts';
import { suiteCrm } from '#adapters/services/suite-crm/service.ts';
import { tracker } from '#adapters/services/tracker/service.ts';
import { vault } from '#adapters/services/vault/service.ts';

/**
 * The services of this server, in the order in which people see them. A new one is its folder and its line here: settings, routes,
 * tools, pages and checks follow.
 */
export const allServices: readonly Service[] = [salesCrm, signing, suiteCrm, tracker, vault];
