import type { RecordOfCall } from '#adapters/services/definitions/vendor.ts';
import { companyDomainOf } from '#adapters/services/sales-crm/pipedrive/company-domain.ts';

const pages = new Map([
  ['deals', 'deal'],
  ['persons', 'person'],
  ['organizations', 'organization'],
  ['leads', 'leads/inbox'],
]);
const operation = /^(deals|persons|organizations|leads)\.(get|create|update)$/;

/**
 * The address of a call's record in Pipedrive; null when the company is unknown, or the call concerns no such record.
 */
export function pipedriveAddress({ operation: name, id, extra }: RecordOfCall): string | null {
  const company = companyDomainOf(extra);
  const page = pages.get(operation.exec(name)?.[1] ?? '');
  if (company === null || page === undefined || !/^[\w-]+$/.test(id)) return null;
  return `https://${company}.pipedrive.com/${page}/${id}`;
}
