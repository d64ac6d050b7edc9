import { ago, contacts, customers, day, offers } from '#test/assistant/world/company.ts';
import type { Records } from '#test/emulators/sales-crm/records.ts';

/** Fills the sales CRM: 40 organizations, 80 persons, 60 deals, 63 activities, 12 leads, 10 notes, and a second pipeline. */
export function fillSales(records: Records): void {
  const partners = records.create('pipeline', { name: 'Partners' });
  for (const name of ['Contacted', 'Signed up']) records.create('stage', { name, pipeline_id: partners['id'] });
  for (const [at, { name, city }] of customers.entries()) {
    records.create('organization', { name, owner_id: 1 + (at % 2), address: { value: `${at + 1} Quay, ${city}` } });
  }
  for (const { name, email, phone, customer } of contacts) {
    const emails = email === '' ? [] : [{ value: email, primary: true, label: 'work' }];
    const phones = phone === '' ? [] : [{ value: phone, primary: true, label: 'work' }];
    records.create('person', { name, emails, phones, org_id: customer + 1 });
  }
  for (let at = 0; at < 60; at += 1) addDeal(records, at);
  for (let at = 0; at < 12; at += 1) addLead(records, at);
  for (let at = 0; at < 10; at += 1) {
    records.create('note', { content: `Spoke with ${customers[at]?.name ?? ''} about delivery`, deal_id: at + 1 });
  }
  // Work of the one who was entered twice hangs at the entry without an address.
  records.create('activity', { subject: 'Send samples to Jonas', type: 'task', person_id: 16, due_date: day(2) });
}

function addDeal(records: Records, at: number): void {
  const customer = at % customers.length;
  const title = `${customers[customer]?.name ?? ''}: ${offers[Math.floor(at / customers.length) + (at % 2)] ?? ''}`;
  const status = at % 10 === 3 ? 'won' : at % 12 === 7 ? 'lost' : 'open';
  const deal = records.create(
    'deal',
    {
      title,
      status,
      value: 2_000 + ((at * 3_700) % 41_000),
      currency: 'EUR',
      org_id: customer + 1,
      person_id: customer * 2 + 1,
      owner_id: 1 + (at % 2),
      stage_id: 1 + (at % 3),
      expected_close_date: day(at - 10),
      ...(status === 'lost' ? { lost_reason: 'Price' } : {}),
      ...(status === 'won' ? { won_time: ago(at % 14) } : {}),
    },
    ago(at % 4 === 0 ? 40 + at : 1 + (at % 20)),
  );
  // Every deal has an activity; those of the first two in three are still to do, some of them overdue.
  records.create('activity', {
    subject: `Call about ${title}`,
    type: at % 5 === 0 ? 'meeting' : 'call',
    deal_id: deal['id'],
    org_id: customer + 1,
    person_id: customer * 2 + 1,
    owner_id: 1 + (at % 2),
    due_date: day((at % 9) - 3),
    due_time: '09:00',
    done: at % 3 === 2,
  });
}

function addLead(records: Records, at: number): void {
  const organization = 20 + at;
  const lead = records.create('lead', {
    title: `${customers[organization]?.name ?? ''} asks for a demo`,
    organization_id: organization + 1,
    person_id: organization * 2 + 1,
  });
  if (at < 2) {
    records.create('activity', { subject: 'Answer the lead', type: 'task', lead_id: lead['id'], due_date: day(1) });
  }
}
