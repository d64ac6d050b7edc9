import { lacks, type VendorOperations, type VendorRecipe } from '#adapters/services/definitions/vendor-operations.ts';
import type { Call } from '#adapters/services/sales-crm/hubspot/account.ts';
import * as activities from '#adapters/services/sales-crm/hubspot/activities.ts';
import { archive, createOne, mergeInto, updateOne } from '#adapters/services/sales-crm/hubspot/changes.ts';
import {
  addProduct,
  createDeal,
  dealOfLead,
  listDeals,
  updateDeal,
} from '#adapters/services/sales-crm/hubspot/deals.ts';
import * as kinds from '#adapters/services/sales-crm/hubspot/kinds.ts';
import { listRecords } from '#adapters/services/sales-crm/hubspot/lists.ts';
import * as others from '#adapters/services/sales-crm/hubspot/others.ts';
import { readOne } from '#adapters/services/sales-crm/hubspot/reading.ts';
import type { hubspotRequests } from '#adapters/services/sales-crm/hubspot/requests.ts';
import { searchAll, searchOne } from '#adapters/services/sales-crm/hubspot/searches.ts';
import type { operations } from '#adapters/services/sales-crm/operations.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** How HubSpot does the operations of the sales CRM. */
export function hubspotOperations(): VendorOperations<typeof operations, typeof hubspotRequests> {
  const by =
    (
      run: (call: Call, input: kinds.Members) => Promise<Outcome>,
    ): VendorRecipe<kinds.Members, typeof hubspotRequests> =>
    (send, input, { connection }) =>
      run({ send, connection }, input);
  const list = (kind: kinds.RecordKind) => by((call, input) => listRecords(call, kind, input));
  const get = (kind: kinds.RecordKind) => by((call, input) => readOne(call, kind, input));
  const create = (kind: kinds.RecordKind) => by((call, input) => createOne(call, kind, input));
  const update = (kind: kinds.RecordKind) => by((call, input) => updateOne(call, kind, input));
  const remove = (kind: kinds.RecordKind) => by((call, input) => archive(call, kind, input));
  const merge = (kind: kinds.RecordKind) => by((call, input) => mergeInto(call, kind, input));
  const search = (item: Parameters<typeof searchOne>[1]) => by((call, input) => searchOne(call, item, input));
  const { personKind: persons, organizationKind: organizations, dealKind: deals, leadKind: leads } = kinds;
  const { productKind: products, noteKind: notes, goalKind: goals } = kinds;
  const noWebhooks = lacks('Webhooks are set up in the app.');
  return {
    'deals.list': by(listDeals),
    'deals.get': get(deals),
    'deals.create': by(createDeal),
    'deals.update': by(updateDeal),
    'deals.delete': remove(deals),
    'deals.search': search('deal'),
    'deals.add_product': by(addProduct),
    'deals.followers': lacks('It does not say who follows a record.'),
    'deals.merge': merge(deals),
    'persons.list': list(persons),
    'persons.get': get(persons),
    'persons.create': create(persons),
    'persons.update': update(persons),
    'persons.delete': remove(persons),
    'persons.merge': merge(persons),
    'persons.search': search('person'),
    'organizations.list': list(organizations),
    'organizations.get': get(organizations),
    'organizations.create': create(organizations),
    'organizations.update': update(organizations),
    'organizations.delete': remove(organizations),
    'organizations.merge': merge(organizations),
    'organizations.search': search('organization'),
    'activities.list': by(activities.listActivities),
    'activities.get': by(activities.getActivity),
    'activities.create': by(activities.createActivity),
    'activities.update': by(activities.updateActivity),
    'activities.delete': by(activities.deleteActivity),
    'pipelines.list': by(others.listPipelines),
    'pipelines.create': by(others.createPipeline),
    'stages.list': by(others.listStages),
    'stages.create': by(others.createStage),
    'leads.list': list(leads),
    'leads.get': get(leads),
    'leads.create': create(leads),
    'leads.update': update(leads),
    'leads.delete': remove(leads),
    'leads.convert': by(dealOfLead),
    'products.list': list(products),
    'products.create': by(others.createProduct),
    'products.update': by(others.updateProduct),
    'products.delete': remove(products),
    'notes.list': list(notes),
    'notes.get': get(notes),
    'notes.create': by((call, input) => createOne(call, notes, input, { hs_timestamp: new Date().toISOString() })),
    'notes.update': update(notes),
    'notes.delete': remove(notes),
    'files.list': by(others.listFiles),
    'files.upload': by(others.uploadFile),
    'files.download': lacks('It gives files at addresses of other servers. Open the file in HubSpot.'),
    'files.delete': by(others.deleteFile),
    'goals.list': list(goals),
    'goals.create': lacks('Goals are made from templates in HubSpot.'),
    'goals.get': get(goals),
    'goals.update': lacks('Goals are changed in HubSpot.'),
    'goals.delete': remove(goals),
    'goals.results': lacks('The progress of goals is in HubSpot’s reports.'),
    'users.list': by(others.listUsers),
    'users.me': by(others.getMe),
    'roles.list': lacks('It does not say which roles there are.'),
    'items.search': by(searchAll),
    'webhooks.create': noWebhooks,
    'webhooks.list': noWebhooks,
    'webhooks.delete': noWebhooks,
  };
}
