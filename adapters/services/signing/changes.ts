import type { ChangeRules } from '#adapters/services/changes/change-rule.ts';
import { irreversible, makes, removes, updates } from '#adapters/services/changes/change-rules.ts';
import type { Members } from '#adapters/services/changes/changed-values.ts';
import type { RecordFacts } from '#adapters/services/changes/record-facts.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { documentStateOf, isBeingCreated } from '#domain/signing/document-state.ts';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const named = ({ name }: Members): string | null => textOf(name);
const idIn = (record: unknown): unknown => (isObject(record) ? (record['uuid'] ?? record['id']) : undefined);

/** The record of an id in a list, which stands alone or as a member of the answer. */
function listedIn(data: unknown, id: unknown): Members | null {
  const parts = isObject(data) ? Object.values(data) : [data];
  const inner = parts.flatMap((part) => (isObject(part) ? Object.values(part) : []));
  const records = [...parts, ...inner].filter((part) => Array.isArray(part)).flat();
  return records.filter(isObject).find((one) => idIn(one) === id) ?? null;
}

const recipientParts = ['email', 'phone', 'first_name', 'last_name', 'role', 'signing_order'];

const partsOf = (value: unknown, names: readonly string[]): unknown =>
  (Array.isArray(value) ? value : [])
    .filter(isObject)
    .map((one) =>
      Object.fromEntries(
        names.flatMap((name) => (own(one, name) == null || own(one, name) === '' ? [] : [[name, own(one, name)]])),
      ),
    );

/** The state of a document that nobody sent yet, however far its making is. */
function phaseOf(status: unknown): unknown {
  const state = documentStateOf(textOf(status) ?? undefined);
  return state === null || isBeingCreated(state) ? 'draft' : state;
}

const document: RecordFacts = {
  one: 'document',
  read: ({ id }) => ({ name: 'documents.details', input: { id } }),
  title: named,
  value: (one, name) => {
    if (name === 'recipients') return partsOf(own(one, name), recipientParts);
    return name === 'tokens' ? partsOf(own(one, name), ['name', 'value']) : own(one, name);
  },
  // A change answers nothing, or the document’s name and times.
  answered: () => null,
  unseen: ['fields', 'pricing_tables', 'tables', 'images', 'texts'],
};
const inShort: RecordFacts = { ...document, read: ({ id }) => ({ name: 'documents.get', input: { id } }) };
const made: RecordFacts = {
  ...inShort,
  answered: (data) => (isObject(data) ? data : null),
  lasting: ({ name, status }) => ({ name, status: phaseOf(status) }),
};

const recipient: RecordFacts = {
  one: 'recipient',
  keys: ['id', 'rid'],
  read: ({ id }) => ({ name: 'recipients.list', input: { id } }),
  found: (data, { rid }) => listedIn(data, rid),
  title: ({ email, name, id }) => textOf(email) ?? textOf(name) ?? textOf(id),
  value: (one, name) => own(one, name) ?? (objects.includes(name) ? null : ''),
  answered: () => null,
};
const objects = ['delivery_methods', 'verification_settings', 'redirect', 'members'];
const added: RecordFacts = {
  ...recipient,
  given: ({ recipient: given }) => (isObject(given) ? given : {}),
};

const quote: RecordFacts = {
  one: 'quote',
  keys: ['id', 'qid'],
  read: ({ id }) => ({ name: 'quotes.list', input: { id } }),
  found: (data, { qid }) => listedIn(data, qid),
  title: named,
};

const link: RecordFacts = {
  one: 'link',
  keys: ['id', 'lid'],
  read: ({ id }) => ({ name: 'linked_objects.list', input: { id } }),
  found: (data, { lid }) => listedIn(data, lid),
  title: ({ provider, entity_type: type, entity_id: id }) =>
    textOf(provider) === null ? null : `${textOf(provider)}: ${textOf(type)} ${textOf(id)}`,
};

const template: RecordFacts = {
  one: 'template',
  read: ({ id }) => ({ name: 'templates.get', input: { id } }),
  title: named,
  lasting: ({ name }) => ({ name }),
};

const folder: RecordFacts = {
  one: 'folder',
  keys: ['id', 'parent_uuid', 'tree'],
  read: ({ parent_uuid, tree }) => ({ name: 'folders.list', input: { parent_uuid, tree, count: 100 } }),
  found: (data, { id }) => listedIn(data, id),
  // Folders are listed by the folder that they are in, which a call need not name.
  mayLackRead: true,
  title: named,
  lasting: ({ name }) => ({ name }),
};

/** Of a signing service that deletes no folders. */
export const foldersStay = makes(folder, { remove: null });

const session = 'A session cannot be ended: its link works until it expires.';

/** How the changes of the signing service are planned and taken back (UNDO-020). */
export const changeRules: ChangeRules = {
  'documents.create': makes(made, { remove: 'documents.delete' }),
  'documents.update': updates(document, 'documents.update'),
  'documents.delete': irreversible('A deleted document can be restored in the signing service only.', inShort),
  'documents.send': irreversible('A document that was sent is with its recipients, and cannot be recalled.', inShort),
  'documents.set_status': irreversible('A status that is set by hand cannot be taken back.', inShort),
  'documents.to_draft': irreversible('The signatures are cleared, and the document has to be sent again.', inShort),
  'recipients.add': makes(added, {
    remove: 'recipients.delete',
    key: (answer, { id }) => {
      const rid = isObject(answer) ? (answer['recipient_id'] ?? answer['id']) : undefined;
      return rid === undefined ? null : { id, rid };
    },
  }),
  'recipients.update': updates(recipient, 'recipients.update'),
  'recipients.delete': irreversible('The fields that the recipient fills cannot be given back.', recipient),
  'sessions.edit': irreversible(session, inShort),
  'sessions.sign': irreversible(session, inShort),
  'quotes.update': updates(quote, 'quotes.update'),
  'linked_objects.create': makes(link, {
    remove: 'linked_objects.delete',
    key: (answer, { id }) => (idIn(answer) === undefined ? null : { id, lid: idIn(answer) }),
  }),
  'linked_objects.delete': removes(link, {
    make: 'linked_objects.create',
    inputs: ['provider', 'entity_type', 'entity_id'],
    making: ({ id }, values) => ({ id, ...values }),
  }),
  'templates.create': makes(template, { remove: 'templates.delete' }),
  'templates.delete': irreversible('A deleted template can be restored in the signing service only.', template),
  'folders.create': makes(folder, {
    remove: 'folders.delete',
    removal: ({ id }) => ({ id }),
    key: (answer, { parent_uuid, tree }) =>
      idIn(answer) === undefined ? null : { id: idIn(answer), parent_uuid, tree },
  }),
  'folders.rename': updates(folder, 'folders.rename'),
  'folders.delete': irreversible('A deleted folder can be made again, empty.'),
  'content_items.create': makes({ one: 'item', read: null, title: named }, { remove: null }),
};
