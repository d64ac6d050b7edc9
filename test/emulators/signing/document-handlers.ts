import { documentIn, newDocument, recipientOf, wordOf, wrongState } from '#test/emulators/signing/document-store.ts';
import {
  done,
  invalid,
  isObject,
  json,
  notFound,
  objectIn,
  objectsIn,
  paged,
  textOr,
} from '#test/emulators/signing/exchange.ts';
import { bodyIn, type FormPart, formIn } from '#test/emulators/signing/form.ts';
import type { Handler } from '#test/emulators/signing/handler.ts';
import { templateRoles } from '#test/emulators/signing/library-handlers.ts';
import { type Document, detailsOf, note, summaryOf, type World } from '#test/emulators/signing/world.ts';

const filters: Readonly<Record<string, (document: Document, wanted: string, world: World) => boolean>> = {
  q: (document, wanted) => document.name.toLowerCase().includes(wanted.toLowerCase()),
  id: (document, wanted) => document.id === wanted,
  template_id: (document, wanted) => document.templateId === wanted,
  folder_uuid: (document, wanted) => document.folder === wanted,
  tag: (document, wanted) => document.tags.includes(wanted),
  status: (document, wanted, world) => document.state === wordOf(world, wanted),
  status__ne: (document, wanted, world) => document.state !== wordOf(world, wanted),
  metadata: (document, wanted) =>
    Object.entries(Object(JSON.parse(wanted))).every(([key, value]) => document.metadata[key] === value),
  created_from: (document, wanted) => document.createdAt >= Date.parse(wanted),
  created_to: (document, wanted) => document.createdAt < Date.parse(wanted),
  modified_from: (document, wanted) => document.modifiedAt >= Date.parse(wanted),
  modified_to: (document, wanted) => document.modifiedAt < Date.parse(wanted),
  completed_from: (document, wanted) => (document.completedAt ?? 0) >= Date.parse(wanted),
  completed_to: (document, wanted) => document.completedAt !== null && document.completedAt < Date.parse(wanted),
};

/** GET /documents */
export const listDocuments: Handler = ({ world }, { query }) => {
  for (const name of ['status', 'status__ne']) {
    const wanted = query.get(name);
    if (wanted !== null && (wordOf(world, wanted) === undefined || (world.words === 'neutral' && /\d/.test(wanted)))) {
      return invalid({ [name]: ['value is not a valid choice.'] });
    }
  }
  const isDeletedWanted = query.get('deleted') === 'true';
  const found = [...world.documents.values()].filter(
    (document) =>
      document.isDeleted === isDeletedWanted &&
      [...query].every(([name, wanted]) => filters[name]?.(document, wanted, world) ?? true) &&
      [...query].every(
        ([name, wanted]) =>
          !name.startsWith('metadata_') || document.metadata[name.slice('metadata_'.length)] === wanted,
      ),
  );
  const newestFirst = found.sort((left, right) => right.modifiedAt - left.modifiedAt);
  return paged(
    query,
    newestFirst.map((document) => summaryOf(world, document)),
  );
};

/** What is wrong with an uploaded file: Markdown is taken at one address, PDF and texts at the other. */
function uploadFault({ fileName, bytes }: FormPart, query: URLSearchParams): string | null {
  const isMarkdown = /\.(?:md|markdown)$/i.test(fileName ?? '');
  if (query.has('upload-markdown')) return isMarkdown ? null : 'Only Markdown files are supported.';
  const isKnown = /\.(?:docx|rtf)$/i.test(fileName ?? '') || bytes.subarray(0, 5).toString('latin1') === '%PDF-';
  return query.has('upload') && isKnown ? null : 'Only PDF, DOCX and RTF files are supported.';
}

/** POST /documents */
export const createDocument: Handler = ({ world, lifeCycle }, ask) => {
  const body = bodyIn(ask);
  if (body === null) return invalid({ non_field_errors: ['A JSON object is required.'] });
  const file = formIn(ask)?.find(({ name }) => name === 'file') ?? null;
  const fault = file === null || world.words === 'neutral' ? null : uploadFault(file, ask.query);
  if (fault !== null) return invalid({ file: [fault] });
  const template = body['template_uuid'];
  const templateId = typeof template === 'string' ? template : null;
  if (templateId === null && typeof body['url'] !== 'string' && body['file'] === undefined) {
    return invalid({ non_field_errors: ['template_uuid, url or a file is required.'] });
  }
  if (templateId !== null && !world.templates.has(templateId))
    return invalid({ template_uuid: ['Template not found.'] });
  const roles = templateRoles.map(({ name }) => name);
  const stray = objectsIn(body['recipients']).find(({ role }) => typeof role === 'string' && !roles.includes(role));
  if (templateId !== null && stray !== undefined) return invalid({ recipients: ['Such a role does not exist.'] });
  if (world.words === 'pandadoc' && templateId !== null && !Array.isArray(body['recipients'])) {
    return invalid({ recipients: ['This field is required.'] });
  }
  if (world.words === 'pandadoc' && templateId === null && typeof body['name'] !== 'string') {
    return invalid({ name: ['This field is required.'] });
  }
  const document = newDocument(world, body, templateId, file);
  lifeCycle.take(document);
  return json(201, {
    ...summaryOf(world, document),
    info_message: 'You need to poll the Document Status method until the status will be changed to document.draft',
  });
};

/** GET /documents/{id} */
export const getDocument: Handler = ({ world }, { params }) => {
  const document = documentIn(world, params['id']);
  return document === null ? notFound : json(200, summaryOf(world, document));
};

/** GET /documents/{id}/details */
export const getDetails: Handler = ({ world }, { params }) => {
  const document = documentIn(world, params['id']);
  if (document === null) return notFound;
  return document.state === 'uploaded' ? wrongState(world, document) : json(200, detailsOf(world, document));
};

/** PATCH /documents/{id} */
export const updateDocument: Handler = ({ world, webhooks }, ask) => {
  const document = documentIn(world, ask.params['id']);
  if (document === null) return notFound;
  const body = objectIn(ask);
  if (body === null) return invalid({ non_field_errors: ['A JSON object is required.'] });
  if (document.state !== 'draft') return wrongState(world, document);
  document.name = textOr(body['name'], document.name);
  if (Array.isArray(body['tags'])) document.tags = body['tags'].map(String);
  if (Array.isArray(body['tokens'])) document.tokens = objectsIn(body['tokens']);
  const { metadata } = body;
  if (isObject(metadata)) document.metadata = metadata;
  if (Array.isArray(body['recipients'])) document.recipients = objectsIn(body['recipients']).map(recipientOf);
  document.modifiedAt = Date.now();
  note(document, 'edited');
  webhooks.emit('document_updated', document);
  return done;
};

/** DELETE /documents/{id} */
export const deleteDocument: Handler = ({ world, webhooks }, { params }) => {
  const document = documentIn(world, params['id']);
  if (document === null) return notFound;
  document.isDeleted = true;
  webhooks.emit('document_deleted', document);
  return done;
};
