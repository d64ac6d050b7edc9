import { z } from 'zod';
import { fileContent } from '#test/support/services/a-file.ts';
import type { Changes } from '#test/support/services/taken-back.ts';

type Input = Readonly<Record<string, unknown>>;

/** An input for each changing operation of a service, by name. */
export type ChangeInputs = Readonly<Record<string, Input>>;

const anId = z.looseObject({ id: z.union([z.string(), z.number()]) });

async function made(changes: Changes, name: string, input: Input): Promise<string | number> {
  return anId.parse(await changes.data(name, input)).id;
}

/** The id of what a vendor may be unable to make; one that nothing has then. */
async function madeOr(changes: Changes, other: string | number, name: string, input: Input) {
  const outcome = await changes.call(name, input);
  return (outcome.ok ? anId.safeParse(outcome.data).data?.id : undefined) ?? other;
}

const webhook = { subscription_url: 'https://hooks.example.com/crm', event_action: '*', event_object: 'deal' };
const goal = {
  title: 'More deals',
  assignee: { id: 1, type: 'person' },
  type: { name: 'deals_started' },
  expected_outcome: { target: 50, tracking_metric: 'quantity' },
  duration: { start: '2026-01-01', end: '2026-12-31' },
  interval: 'monthly',
};

async function salesCrm(changes: Changes): Promise<ChangeInputs> {
  const org_id = await made(changes, 'organizations.create', { name: 'Acme' });
  const other = await made(changes, 'organizations.create', { name: 'Acme Ltd' });
  const person_id = await made(changes, 'persons.create', { name: 'Ann Buyer', org_id });
  const double = await made(changes, 'persons.create', { name: 'Ann' });
  const deal = await made(changes, 'deals.create', { title: 'Acme: 20 licences', value: 900 });
  const second = await made(changes, 'deals.create', { title: 'Acme: 30 licences' });
  const activity = await made(changes, 'activities.create', { subject: 'Call Ann', type: 'call' });
  const lead = String(await made(changes, 'leads.create', { title: 'Acme', person_id }));
  const product = await made(changes, 'products.create', { name: 'Licence' });
  const note = await made(changes, 'notes.create', { content: 'Likes blue', person_id });
  const goalId = String(await madeOr(changes, 'none', 'goals.create', goal));
  return {
    'deals.create': { title: 'Bcme' },
    'deals.update': { id: deal, value: 1_000, is_deleted: false },
    'deals.delete': { id: deal },
    'deals.add_product': { id: deal, product_id: product, item_price: 10, quantity: 2 },
    'deals.merge': { id: deal, merge_with_id: second },
    'persons.create': { name: 'Bob' },
    'persons.update': { id: person_id, name: 'Ann Seller' },
    'persons.delete': { id: person_id },
    'persons.merge': { id: double, merge_with_id: person_id },
    'organizations.create': { name: 'Ccme' },
    'organizations.update': { id: org_id, name: 'Acme AG' },
    'organizations.delete': { id: org_id },
    'organizations.merge': { id: org_id, merge_with_id: other },
    'activities.create': { subject: 'Meet', type: 'meeting' },
    'activities.update': { id: activity, done: true },
    'activities.delete': { id: activity },
    'pipelines.create': { name: 'Partners' },
    'stages.create': { name: 'First', pipeline_id: 1 },
    'leads.create': { title: 'Bcme', person_id },
    'leads.update': { id: lead, title: 'Ccme' },
    'leads.delete': { id: lead },
    'leads.convert': { id: lead },
    'products.create': { name: 'Support' },
    'products.update': { id: product, name: 'Licences' },
    'products.delete': { id: product },
    'notes.create': { content: 'Called', person_id },
    'notes.update': { id: note, content: 'Likes red' },
    'notes.delete': { id: note },
    'files.upload': { file: fileContent('offer.pdf'), deal_id: deal },
    'files.delete': { id: 1 },
    'goals.create': goal,
    'goals.update': { id: goalId, title: 'Most deals' },
    'goals.delete': { id: goalId },
    'webhooks.create': webhook,
    'webhooks.delete': { id: 1 },
  };
}

const recipients = [{ email: 'ann@example.com', first_name: 'Ann', role: 'Client' }];

const some = z.array(z.looseObject({ id: z.string() }));

async function signing(changes: Changes): Promise<ChangeInputs> {
  const making = { template_uuid: 'tpl-nda', name: 'NDA of Acme', recipients, tags: ['nda'] };
  const id = await made(changes, 'documents.create_ready', { ...making, wait: 5 });
  const details = z
    .looseObject({ recipients: z.array(anId).min(1) })
    .parse(await changes.data('documents.details', { id }));
  const rid = details.recipients[0]?.id;
  const [quote] = some.parse(await changes.data('quotes.list', { id }));
  const qid = quote?.id;
  const linking = { id, provider: 'pipedrive', entity_type: 'deal', entity_id: '8' };
  const lid = await made(changes, 'linked_objects.create', linking);
  const url = 'https://files.example.com/nda.pdf';
  return {
    'documents.create': making,
    'documents.create_ready': making,
    'documents.from_file': { file: fileContent('nda.pdf'), name: 'NDA' },
    'documents.update': { id, name: 'NDA of Bcme', tags: ['nda', 'b'] },
    'documents.delete': { id },
    'documents.send': { id },
    'documents.send_draft': { id },
    'documents.set_status': { id, status: 'declined' },
    'documents.status': { id, status: 'declined' },
    'documents.to_draft': { id },
    'recipients.add': { id, recipient: { id: 'contact-bob' } },
    'recipients.update': { id, rid, first_name: 'Anna' },
    'recipients.delete': { id, rid },
    'sessions.edit': { id, email: 'owner@example.com' },
    'sessions.sign': { id, recipient: 'ann@example.com' },
    'quotes.update': { id, qid, currency: 'EUR' },
    'linked_objects.create': { ...linking, provider: 'hub' },
    'linked_objects.delete': { id, lid },
    'templates.create': { url, name: 'Offer' },
    'templates.delete': { id: 'tpl-nda' },
    'folders.create': { name: 'Offers' },
    'folders.rename': { id: 'folder-contracts', name: 'Old contracts' },
    'folders.delete': { id: 'folder-contracts' },
    'content_items.create': { file: fileContent('terms.pdf') },
  };
}

const results = z.array(z.looseObject({ details: anId })).min(1);

async function suiteCrm(changes: Changes): Promise<ChangeInputs> {
  const created = async (module: string, data: Input) =>
    results.parse(await changes.data('records.create', { module, data }))[0]?.details.id;
  const lead = await created('Leads', { Last_Name: 'Burns', Company: 'Acme' });
  const deal = await created('Deals', { Deal_Name: 'Acme', Stage: 'Qualification', Amount: 900 });
  const product = await created('Products', { Product_Name: 'Licence' });
  const tags = results.parse(await changes.data('tags.create', { module: 'Deals', tags: ['q3'] }));
  const tag = tags[0]?.details.id;
  const at = { module: 'Deals', id: deal };
  const note = { Note_Content: 'Called', Parent_Id: { module: { api_name: 'Deals' }, id: deal } };
  const channel = { channel_id: '77', events: ['Deals.edit'], notify_url: 'https://hooks.example.com/suite' };
  const mail = { from: { email: 'ada@crm.example' }, to: [{ email: 'b@example.com' }], subject: 'Offer' };
  const link = { module: 'Deals', id: deal, related_list: 'Products', rid: product };
  return {
    'records.create': { module: 'Accounts', data: { Account_Name: 'Acme' } },
    'records.update': { ...at, data: { Amount: 1_000, Closing_Date: '2026-12-31' } },
    'records.delete': at,
    'records.upsert': { module: 'Contacts', data: { Last_Name: 'Ng', Email: 'ng@a.example' } },
    'related.link': link,
    'related.unlink': link,
    'notes.create': { data: [note] },
    'notes.add': { ...at, text: 'Called' },
    'attachments.upload': { ...at, file: fileContent('offer.pdf') },
    'tags.create': { module: 'Deals', tags: ['q4'] },
    'tags.update': { id: tag, module: 'Deals', tags: ['q5'] },
    'tags.delete': { id: tag },
    'records.add_tags': { ...at, tags: ['hot'] },
    'records.remove_tags': { ...at, tags: ['hot'] },
    'leads.convert': { id: lead },
    'emails.send': { ...at, data: mail },
    'bulk.create': { query: { module: { api_name: 'Deals' } } },
    'watch.create': { watch: [channel] },
    'watch.renew': { watch: [channel] },
    'watch.delete': { channel_ids: ['77'] },
  };
}

const named = z.array(z.looseObject({ id: z.string() }));

async function tracker(changes: Changes): Promise<ChangeInputs> {
  const listed = async (name: string) => named.parse(await changes.data(name, {}));
  const [team] = named.parse(await changes.data('teams.list', {})).toReversed();
  const teamId = team?.id ?? '';
  const issue = await made(changes, 'issues.create', { teamId, title: 'Fix login', description: 'It *fails*' });
  const other = await made(changes, 'issues.create', { teamId, title: 'Fix logout' });
  const comment = await made(changes, 'comments.create', { issueId: issue, body: 'Seen it' });
  const project = await made(changes, 'projects.create', { name: 'Website', teamIds: [teamId] });
  const cycles = await listed('cycles.list');
  const cycle = cycles[0]?.id ?? 'none';
  const label = await madeOr(changes, 'none', 'labels.create', { name: 'Slow' });
  const document = await madeOr(changes, 'none', 'documents.create', {
    title: 'Plan',
    content: 'A',
    projectId: project,
  });
  const initiative = await madeOr(changes, 'none', 'initiatives.create', { name: 'Reach' });
  const link = { issueId: issue, title: 'Offer', url: 'https://files.example.com/offer' };
  const period = { startsAt: '2030-01-07T00:00:00.000Z', endsAt: '2030-01-21T00:00:00.000Z' };
  return {
    'issues.create': { teamId, title: 'New' },
    'issues.make': { team: teamId, title: 'New' },
    'issues.update': { id: issue, title: 'Fix the login', priority: 2 },
    'issues.change': { issue, title: 'Fix the login', dueDate: '2030-01-01' },
    'issues.archive': { id: issue },
    'issues.unarchive': { id: issue },
    'issues.delete': { id: issue },
    'comments.create': { issueId: issue, body: 'Me too' },
    'comments.update': { id: comment, body: 'Seen it twice' },
    'comments.delete': { id: comment },
    'labels.create': { name: 'Fast' },
    'labels.make': { name: 'Fast' },
    'labels.update': { id: label, name: 'Slower' },
    'issue_relations.create': { issueId: issue, type: 'blocks', relatedIssueId: other },
    'attachments.create': link,
    'projects.create': { name: 'Shop', teamIds: [teamId] },
    'projects.make': { name: 'Shop', teams: [teamId] },
    'projects.update': { id: project, name: 'Web shop' },
    'projects.change': { project, name: 'Web shop' },
    'projects.archive': { id: project },
    'projects.unarchive': { id: project },
    'cycles.create': { teamId, ...period },
    'cycles.make': { team: teamId, ...period },
    'cycles.update': { id: cycle, name: 'Sprint' },
    'documents.create': { title: 'Notes', projectId: project },
    'documents.make': { title: 'Notes', project },
    'documents.update': { id: document, content: 'B' },
    'documents.change': { id: document, content: 'B' },
    'documents.delete': { id: document },
    'initiatives.create': { name: 'Growth 2' },
    'initiatives.update': { id: initiative, name: 'Reach more' },
    'webhooks.create': { url: 'https://hooks.example.com/t', resourceTypes: ['Issue'], allPublicTeams: true },
    'webhooks.delete': { id: '7' },
  };
}

/** Makes the records that changes need, and returns an input for each changing operation. */
export const changeInputs = { sales_crm: salesCrm, signing, suite_crm: suiteCrm, tracker } as const;
