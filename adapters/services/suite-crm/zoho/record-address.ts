import type { RecordOfCall } from '#adapters/services/definitions/vendor.ts';
import { dataCenters, knownDataCenterOf } from '#adapters/services/suite-crm/zoho/data-centers.ts';

/** The modules whose web page has a different name. */
const tabs = new Map([['Deals', 'Potentials']]);
const ofRecord = /^records\.(get|update|create|upsert|find)$/;
const record = /^([A-Za-z]\w*)\/(\d+)$/;

/** The address of a call's record in Zoho; null when its data centre is unknown, or the call concerns none. */
export function zohoAddress({ operation, id, extra }: RecordOfCall): string | null {
  const center = knownDataCenterOf(extra, null);
  const [, module, number] = record.exec(id) ?? [];
  if (center === null || module === undefined || !ofRecord.test(operation)) return null;
  const crm = dataCenters[center].accounts.replace('//accounts.', '//crm.');
  return `${crm}/crm/tab/${tabs.get(module) ?? module}/${number}`;
}
