import type { Service } from '#adapters/services/definitions/service.ts';
import { salesCrm } from '#adapters/services/sales-crm/service.ts';
import { signing } from '#adapters/services/signing/service.ts';
import { suiteCrm } from '#adapters/services/suite-crm/service.ts';
import { tracker } from '#adapters/services/tracker/service.ts';
import { vault } from '#adapters/services/vault/service.ts';

/**
 * The built-in services, in display order. A new one needs its folder and a line here: settings, routes, tools, pages
 * and checks are derived from it.
 */
export const allServices: readonly Service[] = [salesCrm, signing, suiteCrm, tracker, vault];
