import { z } from 'zod';
import { fileInput } from '#adapters/services/requests/file-input.ts';
import { del, get, patch, post, put } from '#adapters/services/requests/request-rows.ts';

const word = z.string().min(1);
const words = z.array(word);
const texts = z.record(z.string(), z.string());
const order = z.int();
const page = { limit: z.int().min(1), after: word.optional() };
const types = z.array(z.object({ associationCategory: word, associationTypeId: z.int() }));
const associations = z.array(z.object({ to: z.object({ id: word }), types }));
const filterGroups = z.array(z.object({ filters: z.array(z.record(z.string(), z.unknown())) }));

const kind = { type: word };
const one = { type: word, id: word };
const link = { ...one, to: word, toId: word };
const records = '/crm/objects/2026-03/{type}';
const association = `${records}/{id}/associations/{to}/{toId}`;
const pipelines = '/crm/pipelines/2026-03/{type}';
const filesPath = '/files/2026-03/files';

const listing = { ...kind, properties: words, associations: words, ...page };
const searching = { ...kind, query: word.optional(), filterGroups, sorts: words, properties: words, ...page };
const batch = { ...kind, to: word, inputs: z.array(z.object({ id: word })) };
const kept = { keptMs: 60_000 };
const changesPipelines = { forgets: ['pipelines'] } as const;
const paged = { page: 'cursor' } as const;
const reads = { effect: 'read', page: 'cursor' } as const;
const merging = { ...kind, primaryObjectId: word, objectIdToMerge: word };
const uploading = { file: fileInput, folderPath: word, options: word };
const newPipeline = { ...kind, label: word, displayOrder: order, stages: z.array(z.unknown()) };
const newStage = { ...kind, pipeline: word, label: word, displayOrder: order, metadata: texts };

/** The requests to HubSpot that its operations consist of; `type` is the type of a record, such as `contacts`. */
export const hubspotRequests = {
  list: get(records, 'Lists records', listing, paged),
  read: get(`${records}/{id}`, 'Reads a record', {
    ...one,
    properties: words,
    propertiesWithHistory: words.optional(),
    associations: words,
  }),
  create: post(records, 'Creates a record', { ...kind, properties: texts, associations }),
  update: patch(`${records}/{id}`, 'Changes a record', { ...one, properties: texts }, { isIdempotent: true }),
  archive: del(`${records}/{id}`, 'Deletes a record', one, { answer: 'none' }),
  search: post(`${records}/search`, 'Searches records', searching, reads),
  merge: post(`${records}/merge`, 'Merges two records', merging, { effect: 'lose' }),
  associated: post('/crm/associations/2026-03/{type}/{to}/batch/read', 'Reads associations', batch, reads),
  associate: put(association, 'Associates two records', { ...link, types }, { body: 'types' }),
  dissociate: del(association, 'Ends an association', link, { effect: 'change', answer: 'none' }),
  properties: get('/crm/properties/2026-03/{type}', 'Lists the properties of records', kind, kept),
  pipelines: get(pipelines, 'Lists pipelines with their stages', kind, kept),
  createPipeline: post(pipelines, 'Creates a pipeline', newPipeline, changesPipelines),
  createStage: post(`${pipelines}/{pipeline}/stages`, 'Creates a stage', newStage, changesPipelines),
  owners: get('/crm/owners/2026-03', 'Lists owners', page, paged),
  owner: get('/crm/owners/2026-03/{id}', 'Reads an owner', { id: word, idProperty: word }),
  files: get(`${filesPath}/search`, 'Lists files', { ...page, sort: word }, paged),
  upload: post(filesPath, 'Uploads a file', uploading, { multipart: 'file' }),
  deleteFile: del(`${filesPath}/{id}`, 'Deletes a file', { id: word }, { answer: 'none' }),
} as const;
