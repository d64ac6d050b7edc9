import { contacts, customers } from '#test/assistant/world/company.ts';
import { newDocument } from '#test/emulators/signing/document-store.ts';
import type { SigningEmulator } from '#test/emulators/signing/emulator.ts';
import type { CrmState } from '#test/emulators/suite-crm/state.ts';

/** Fills the signing service: 15 documents, six of them completed, three sent, two signed by one of two, two drafts and two declined. */
export function fillSigning({ world, lifeCycle }: SigningEmulator): void {
  for (let at = 0; at < 15; at += 1) {
    const customer = customers[at];
    const [first = '', last = ''] = (contacts[at * 2]?.name ?? '').split(' ');
    const [second, secondLast] = (contacts[at * 2 + 1]?.name ?? '').split(' ');
    const recipients = [
      { email: contacts[at * 2]?.email ?? '', first_name: first, last_name: last, role: 'Client' },
      { email: contacts[at * 2 + 1]?.email || 'office@example.com', first_name: second, last_name: secondLast },
    ];
    const kind = ['Master agreement', 'NDA', 'Order form'][at % 3] ?? '';
    const document = newDocument(world, { name: `${kind} ${customer?.name ?? ''}`, recipients }, 'tpl-nda');
    world.documents.set(document.id, document);
    const state = ['completed', 'sent', 'draft', 'completed', 'viewed', 'declined'][at % 6];
    lifeCycle.process(document.id);
    if (state === 'draft') continue;
    lifeCycle.move(document, 'sent');
    if (state === 'completed') lifeCycle.complete(document.id);
    else if (state === 'declined') lifeCycle.move(document, 'declined');
    else if (state === 'viewed') lifeCycle.sign(document.id, recipients[0]?.email ?? '');
  }
}

/** Fills the suite CRM: 20 accounts, 65 contacts of whom 45 are at one account, 8 leads, 12 deals. */
export function fillSuite(state: CrmState): void {
  const ids = customers.slice(0, 20).map(({ name, city }) => {
    const { details } = state.create('Accounts', { Account_Name: name, Billing_City: city, Industry: 'Logistics' });
    return { id: String(Object(details).id), name };
  });
  for (let at = 0; at < 65; at += 1) {
    const [First_Name, ...rest] = (contacts[at]?.name ?? '').split(' ');
    state.create('Contacts', {
      First_Name,
      Last_Name: rest.join(' '),
      Email: `contact${at}@suite.example`,
      Account_Name: ids[at < 45 ? 5 : at - 45],
    });
  }
  for (let at = 0; at < 8; at += 1) {
    const Company = customers[30 + at]?.name;
    state.create('Leads', { Last_Name: ['Burns', 'Ito', 'Moreau', 'Silva'][at % 4], Company, Lead_Status: 'New' });
  }
  for (let at = 0; at < 12; at += 1) {
    const Stage = ['Qualification', 'Negotiation', 'Closed Lost'][at % 3];
    const Deal_Name = `${customers[at]?.name ?? ''} licences`;
    state.create('Deals', { Deal_Name, Stage, Amount: 1_000 * (at + 1), Account_Name: ids[at] });
  }
}
