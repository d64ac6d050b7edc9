import { partyOfOrganization, partyOfPerson } from '#domain/parties/party.ts';
import { on } from '#domain/reactions/reaction.ts';

/**
 * Person changed in the sales CRM → the change is pushed to the suite CRM. One-way: no reaction to the suite CRM's
 * events writes to the sales CRM, which rules out loops.
 */
export const personUpdated = on(
  'sales_crm',
  ['updated.person'],
  ({ record, person, occurredAt }) => [{ do: 'push', record, party: partyOfPerson(person, record), occurredAt }],
  'suite_crm',
);

/** Organization changed in the sales CRM → the change is pushed to the suite CRM; one-way, as for persons. */
export const organizationUpdated = on(
  'sales_crm',
  ['updated.organization'],
  ({ record, organization, occurredAt }) => [
    { do: 'push', record, party: partyOfOrganization(organization), occurredAt },
  ],
  'suite_crm',
);
