import type { ApplyCallStepDependencies } from '#application/reactions/apply-call-step.ts';
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

/** What a call is made with where no delivery is worked on again, nothing only reads, and nobody waits. */
export const noInbox: Pick<ApplyCallStepDependencies, 'inbox' | 'isReading' | 'userId' | 'pause'> = {
  inbox: { replay: async () => true },
  isReading: () => false,
  userId: 1,
  pause: async () => {},
};
