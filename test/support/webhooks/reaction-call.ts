import type { CallStep } from '#domain/reactions/step.ts';

/** A call that creates a record. */
export const createStep: CallStep = {
  do: 'call',
  record: { service: 'sales_crm', kind: 'deal', id: '7' },
  by: 'Reactions/won.md',
  digest: 'd',
  service: 'tracker',
  name: 'issues.create',
  input: { title: 'Onboard Acme' },
  key: 'k',
  depth: 1,
  seq: 3,
};
