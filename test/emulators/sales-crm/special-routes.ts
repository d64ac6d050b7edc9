import { randomUUID } from 'node:crypto';
import { isObject } from '#domain/json/json-data.ts';
import { bad, type DialectName, good, invalid, pageOf } from '#test/emulators/sales-crm/answers.ts';
import { kindOf, kinds } from '#test/emulators/sales-crm/kinds.ts';
import { found, searchAnswer } from '#test/emulators/sales-crm/record-routes.ts';
import type { Records } from '#test/emulators/sales-crm/records.ts';
import { type EmulatorRoute, formBody, jsonBody } from '#test/emulators/sales-crm/request.ts';

const users = [
  { id: 1, name: 'Ann Admin', email: 'ann@example.com', is_admin: 1, active_flag: true, role_id: 1 },
  { id: 2, name: 'Bob Seller', email: 'bob@example.com', is_admin: 0, active_flag: true, role_id: 2 },
];
const roles = [
  { id: 1, name: 'Admins', parent_role_id: null, active_flag: true },
  { id: 2, name: 'Sellers', parent_role_id: 1, active_flag: true },
];

/** What only some kinds have: merge, followers, products of a deal, conversion, users, roles, search over all. */
export function specialRoutes(records: Records, dialect: DialectName): readonly EmulatorRoute[] {
  const isPipedrive = dialect === 'pipedrive';
  return [
    ...mergeable.map((name) => mergeRoute(records, isPipedrive, name)),
    {
      method: 'GET',
      path: '/api/v2/deals/{id}/followers',
      answer: ({ query }, { id = '' }) => {
        const deal = records.find('deal', id);
        if (deal === null) return found(null, records.isGone('deal', id));
        return pageOf(
          [{ user_id: deal['owner_id'], add_time: deal['add_time'] }],
          query,
          { version: 'v2', name: 'follower' },
          dialect,
        );
      },
    },
    {
      method: 'POST',
      path: '/api/v2/deals/{id}/products',
      answer: (request, { id = '' }) => {
        const fields = jsonBody(request) ?? {};
        const missing = ['product_id', 'item_price', 'quantity'].filter((name) => typeof fields[name] !== 'number');
        if (missing.length > 0) return invalid(missing.map((name) => `${name}: Required`));
        if (records.find('deal', id) === null) return found(null, records.isGone('deal', id));
        const product = records.find('product', String(fields['product_id']));
        if (product === null) return bad(404, 'Product was not found');
        const sum = Number(fields['item_price']) * Number(fields['quantity']);
        records.update('deal', id, { value: sum });
        return good({ ...fields, deal_id: Number(id), name: product['name'], sum });
      },
    },
    ...conversionRoutes(records, isPipedrive),
    { method: 'GET', path: '/v1/users', answer: () => good(users) },
    { method: 'GET', path: '/v1/users/me', answer: () => good({ ...users[0], company_domain: 'acme' }) },
    {
      method: 'GET',
      path: '/v1/roles',
      answer: ({ query }) => pageOf(roles, query, { version: 'v1', name: 'role' }, dialect),
    },
    {
      method: 'GET',
      path: '/api/v2/itemSearch',
      answer: ({ query }) => {
        const types = query.get('item_types')?.split(',');
        const among = kinds.filter(({ name }) => types === undefined || types.includes(name));
        return searchAnswer(records, among, query, dialect);
      },
    },
    ...goalRoutes(records, isPipedrive),
    ...fileRoutes(records),
  ];
}

const mergeable = ['deal', 'person', 'organization'];

function mergeRoute(records: Records, isPipedrive: boolean, name: string): EmulatorRoute {
  const { collection } = kindOf(name);
  return {
    method: 'PUT',
    path: `/${isPipedrive ? 'v1' : 'api/v2'}/${collection}/{id}/merge`,
    answer: (request, { id = '' }) => {
      const other: unknown = jsonBody(request)?.['merge_with_id'];
      if (!Number.isInteger(other)) return invalid(['merge_with_id: Required']);
      const answer = found(records.merge(name, id, String(other)), records.isGone(name, id));
      // Pipedrive answers a merge of organizations with the id only.
      return answer.status === 200 && isPipedrive && name === 'organization' ? good({ id: other }) : answer;
    },
  };
}

/** Conversions of leads, which run until they are asked about; Pipedrive says which deal each became. */
function conversionRoutes(records: Records, isPipedrive: boolean): readonly EmulatorRoute[] {
  const deals = new Map<string, unknown>();
  return [
    {
      method: 'POST',
      path: '/api/v2/leads/{id}/convert/deal',
      answer: (request, { id = '' }) => {
        const lead = records.find('lead', id);
        if (lead === null) return found(null, records.isGone('lead', id));
        const { stage_id: stageId, pipeline_id: pipelineId } = jsonBody(request) ?? {};
        const stage = records
          .all('stage')
          .find((one) => (stageId === undefined ? one['pipeline_id'] === pipelineId : one['id'] === stageId));
        const place = stage === undefined ? {} : { stage_id: stage['id'], pipeline_id: stage['pipeline_id'] };
        const { title, person_id = null, organization_id: org_id = null, owner_id, value } = lead;
        const worth = isObject(value) ? { value: value['amount'] ?? 0 } : {};
        const deal = records.create('deal', { title, person_id, org_id, owner_id, ...worth, ...place });
        records.move('lead', id, 'deal', String(deal['id']));
        records.remove('lead', id);
        const conversion = randomUUID();
        deals.set(conversion, deal['id']);
        return good({ conversion_id: conversion });
      },
    },
    ...(isPipedrive
      ? [
          {
            method: 'GET',
            path: '/api/v2/leads/{id}/convert/status/{conversion}',
            answer: (_: unknown, { conversion = '' }) =>
              deals.has(conversion)
                ? good({ conversion_id: conversion, status: 'completed', deal_id: deals.get(conversion) })
                : found(null, false),
          },
        ]
      : []),
  ];
}

function goalRoutes(records: Records, isOwn: boolean): readonly EmulatorRoute[] {
  const goalOf = (id: string) => found(records.find('goal', id), records.isGone('goal', id));
  return [
    {
      method: 'GET',
      path: isOwn ? '/v1/goals/find' : '/v1/goals',
      answer: ({ query }) => {
        const title = query.get('title');
        const goals = records.all('goal').filter((goal) => title === null || goal['title'] === title);
        return good({ goals });
      },
    },
    ...(isOwn ? [] : [{ method: 'GET', path: '/v1/goals/{id}', answer: (_: unknown, { id = '' }) => goalOf(id) }]),
    {
      method: 'GET',
      path: '/v1/goals/{id}/results',
      answer: ({ query }, { id = '' }) => {
        const missing = ['period.start', 'period.end'].filter((name) => !query.has(name));
        if (missing.length > 0) return invalid(missing.map((name) => `${name}: Required`));
        const goal = records.find('goal', id);
        return goal === null ? goalOf(id) : good({ progress: records.all('deal').length, goal });
      },
    },
  ];
}

function fileRoutes(records: Records): readonly EmulatorRoute[] {
  const bytes = new Map<string, Readonly<{ content: Uint8Array; type: string }>>();
  return [
    {
      method: 'POST',
      path: '/v1/files',
      answer: async (request) => {
        const form = await formBody(request).catch(() => null);
        const file = form?.get('file');
        if (form === null || !(file instanceof File)) return bad(400, 'No files were uploaded');
        const links = [...form].filter(([name]) => name !== 'file').map(([name, value]) => [name, Number(value)]);
        const content = new Uint8Array(await file.arrayBuffer());
        const fields = { name: file.name, file_size: content.byteLength, ...Object.fromEntries(links) };
        const record = records.create('file', fields);
        bytes.set(String(record['id']), { content, type: file.type });
        return good(record);
      },
    },
    {
      method: 'GET',
      path: '/v1/files/{id}/download',
      answer: (_, { id = '' }) => {
        const record = records.find('file', id);
        const file = bytes.get(id);
        if (record === null || file === undefined) return found(null, records.isGone('file', id));
        const name = encodeURIComponent(String(record['name']));
        return {
          status: 200,
          headers: { 'content-type': file.type, 'content-disposition': `attachment; filename*=UTF-8''${name}` },
          body: file.content,
        };
      },
    },
  ];
}
