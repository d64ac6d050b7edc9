import { partyOfOrganization, partyOfPerson } from '#domain/parties/party.ts';
import { on } from '#domain/reactions/reaction.ts';

/**
 * Person changed in the sales CRM → the suite CRM gets the change. One way: no reaction to the suite CRM's events
 * writes to the sales CRM, so that no loop can arise.
 */
export const personUpdated = on(
  'sales_crm',
  ['updated.person'],
  ({ record, person, occurredAt }) => [{ do: 'push', record, party: partyOfPerson(person), occurredAt }],
  'suite_crm',
);

/** Organization changed in the sales CRM → the suite CRM gets the change; one way, as with persons. */
export const organizationUpdated = on(
  'sales_crm',
  ['updated.organization'],
  ({ record, organization, occurredAt }) => [
    { do: 'push', record, party: partyOfOrganization(organization), occurredAt },
  ],
  'suite_crm',
);
