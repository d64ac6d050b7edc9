import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const on = 'neutral, over HTTP to the emulated suite CRM';
const gateway = 'adapters/services/suite-crm/ports/party-directory.ts';
const fields = 'adapters/services/suite-crm/ports/party-fields.ts';

/** Ways in which a directory of persons and organizations can be broken. */
export const partyDirectory: PortMutants = {
  port: 'party-directory',
  mutants: [
    ...texts(on, gateway, [
      [
        "outcome.reason === 'not_found' ? ok([]) : err(outcome)",
        'err(outcome)',
        'fails where nobody is found',
        'The suite CRM answers an empty list; the reason is for vendors that answer 404.',
      ],
      [
        "return outcome.reason === 'not_found' || outcome.reason === 'gone' ? ok(false) : err(outcome);",
        'return err(outcome);',
        'fails where a record is gone',
      ],
      [
        "return outcome.reason === 'not_found' || outcome.reason === 'gone' ? ok(false) : err(outcome);",
        'return ok(true);',
        'says that a missing record was updated',
      ],
      ['per_page: 10 });', 'per_page: 1 });', 'finds one at the most'],
      ['duplicateFields.length === 0', 'true', 'creates always'],
      ['duplicateFields.length === 0', 'false', 'lets the suite CRM choose what a duplicate is by'],
      ['if (outcome.ok) return ok(true);', 'if (outcome.ok) return ok(false);', 'says that nothing was updated'],
      [
        '{ module, id, data: fields }',
        '{ module, id, data: partyRecord(party, null).fields }',
        'always clears the employer',
      ],
    ]),
    ...texts(on, fields, [
      [
        "duplicateFields: typeof party.email === 'string' ? ['Email'] : []",
        "duplicateFields: ['Last_Name']",
        'takes one name for one person',
      ],
      ["duplicateFields: ['Account_Name']", 'duplicateFields: []', 'creates an organization of a name again'],
      ['value !== undefined', 'value !== undefined && value !== null', 'clears nothing'],
      ['value !== undefined', 'true', 'clears what it does not know', 'What is undefined is not in JSON.'],
      ['First_Name: party.firstName,', '', 'loses the first name'],
      ['Phone: party.phone,', '', 'loses the phone number'],
      ['Email: party.email,', '', 'loses the e-mail address'],
      ['Website: party.website', 'Website: undefined', 'loses the website'],
      ['Billing_Street: party.address', 'Billing_Street: party.website', 'mixes address and website up'],
      ["typeof employerId === 'string' ? { id: employerId } : employerId", 'undefined', 'loses the employer'],
      [
        "typeof employerId === 'string' ? { id: employerId } : employerId",
        "typeof employerId === 'string' ? { id: employerId } : null",
        'clears an employer that it does not know',
      ],
      ["if (typeof party.email === 'string') return", 'if (false) return', 'finds by name where there is an address'],
      [
        "{ all: [equals('Last_Name', party.lastName), ...first] }",
        "equals('Last_Name', party.lastName)",
        'finds by the last name alone',
      ],
      [
        "criteria: equals('Account_Name', party.name)",
        "criteria: { field: 'Account_Name', operator: 'starts_with', value: party.name.slice(0, 4) }",
        'finds names that begin alike',
      ],
      [
        "return { module: 'Accounts', criteria",
        "return { module: 'Contacts', criteria",
        'finds organizations among persons',
      ],
    ]),
    ...calls(on, [
      [{ op: 'lost', method: 'update', answer: { ok: true, value: true } }, 'loses every update'],
      [{ op: 'late', method: 'update', answer: { ok: true, value: true } }, 'updates after it has answered'],
      [{ op: 'shared', method: 'find' }, 'hands out one list again and again'],
      [{ op: 'stale', method: 'find' }, 'remembers whom it found first'],
      [{ op: 'short', method: 'find' }, 'leaves the last out'],
      [{ op: 'once', method: 'upsert' }, 'creates the first only'],
    ]),
  ],
};
