import type { Party } from '#domain/parties/party.ts';

/**
 * A party as a record of the suite CRM: the module, its fields by API name, and the fields that identify duplicates.
 */
export type PartyRecord = Readonly<{
  module: 'Contacts' | 'Accounts';
  fields: Readonly<Record<string, unknown>>;
  duplicateFields: readonly string[];
}>;

/**
 * The complete field mapping. Fields that the sales CRM did not send are omitted, so that the suite CRM's values are
 * kept; fields that it sent as empty are null, which clears them.
 */
export function partyRecord(party: Party, employerId: string | null | undefined): PartyRecord {
  if (party.kind === 'organization') {
    const fields = { Account_Name: party.name, Billing_Street: party.address, Website: party.website };
    return { module: 'Accounts', fields: definedFields(fields), duplicateFields: ['Account_Name'] };
  }
  const fields = {
    Last_Name: party.lastName,
    First_Name: party.firstName,
    Email: party.email,
    Phone: party.phone,
    Account_Name: typeof employerId === 'string' ? { id: employerId } : employerId,
  };
  return {
    module: 'Contacts',
    fields: definedFields(fields),
    duplicateFields: typeof party.email === 'string' ? ['Email'] : [],
  };
}

function definedFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The search for a party: a person by e-mail address, else by name; an organization by name. */
export function partySearch(party: Party): Readonly<Record<string, unknown>> {
  const equals = (field: string, value: string) => ({ field, operator: 'equals', value });
  if (party.kind === 'organization') return { module: 'Accounts', criteria: equals('Account_Name', party.name) };
  if (typeof party.email === 'string') return { module: 'Contacts', email: party.email };
  const first = typeof party.firstName === 'string' ? [equals('First_Name', party.firstName)] : [];
  return { module: 'Contacts', criteria: { all: [equals('Last_Name', party.lastName), ...first] } };
}
