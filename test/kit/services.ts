import { member, status } from '#test/kit/checks.ts';
import type { CloudKey } from '#test/kit/emulators/emulators.ts';
import type { Kit } from '#test/kit/kit.ts';

/** A call of each service that reads one thing. */
export const reading: Readonly<Record<CloudKey, string>> = {
  sales_crm: '/api/sales_crm/deals/41',
  signing: '/api/signing/templates/tpl1',
  suite_crm: '/api/suite_crm/Leads/91',
  tracker: '/api/tracker/viewer',
};

/** What `GET /api/connections` says of a service. */
export const stateOf = async (kit: Kit, service: string): Promise<unknown> => {
  const answer = await kit.api('GET', '/api/connections');
  status(answer, 200);
  const found = [answer.json]
    .flat()
    .concat(member(answer.json, 'data') ?? [], member(answer.json, 'connections') ?? [])
    .flat();
  return found.find((entry) => member(entry, 'service') === service);
};

/** What a check needs to call a service over REST. */
export const needsOf = (service: CloudKey) => ['login', 'rest', `service:${service}`] as const;
