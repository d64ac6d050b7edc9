import { isObject, json, objectsIn, type Reply, textOr } from '#test/emulators/signing/exchange.ts';
import type { FormPart } from '#test/emulators/signing/form.ts';
import {
  type Document,
  type Json,
  newId,
  type Recipient,
  stateText,
  templateField,
  type World,
} from '#test/emulators/signing/world.ts';

// The provider's numbers of the states, from its published interface.
const stateOfNumber: Readonly<Record<string, string>> = {
  0: 'draft',
  1: 'sent',
  2: 'completed',
  3: 'uploaded',
  4: 'error',
  5: 'viewed',
  10: 'paid',
  11: 'expired',
  12: 'declined',
};

/** The document that the path names; null when there is none. */
export function documentIn(world: World, id: string | undefined): Document | null {
  const document = world.documents.get(id ?? '');
  return document === undefined || document.isDeleted ? null : document;
}

/** Refuses for the state that a document is in. */
export const wrongState = (world: World, document: Document): Reply =>
  json(409, {
    id: document.id,
    status: stateText(world, document.state),
    info_message: `The document is in the state ${stateText(world, document.state)}.`,
  });

/** A recipient as the service keeps it. */
export function recipientOf(given: Json): Recipient {
  return {
    first_name: '',
    last_name: '',
    role: '',
    contact_id: null,
    ...given,
    id: newId(),
    email: textOr(given['email'], ''),
    recipient_type: 'signer',
    has_completed: false,
  };
}

/** The state that a request means: a number in the vendor's dialect, a word in the neutral one. */
export const wordOf = (world: World, wanted: string): string | undefined =>
  world.words === 'pandadoc' ? stateOfNumber[wanted] : wanted;

/** The fields of a new document: each of its template's, for the recipient of its role, with the value that is given. */
function fieldsOf(fields: readonly Json[], recipients: readonly Recipient[], given: unknown): Json[] {
  return fields.map(({ role, ...field }) => {
    const value = isObject(given) ? given[String(field['name'])] : undefined;
    const recipient = recipients.find((one) => one.role !== '' && one.role === role);
    return {
      ...field,
      uuid: newId(),
      ...(isObject(value) ? { value: value['value'], is_filled: true } : {}),
      assigned_to:
        recipient === undefined ? null : { id: recipient.id, email: recipient.email, role, type: 'recipient' },
    };
  });
}

/** A document that was just taken in. */
export function newDocument(
  world: World,
  body: Json,
  templateId: string | null,
  file: Pick<FormPart, 'fileName' | 'bytes'> | null = null,
): Document {
  const recipients = objectsIn(body['recipients']).map(recipientOf);
  const now = Date.now();
  const template = templateId === null ? undefined : world.templates.get(templateId);
  const metadata = body['metadata'];
  return {
    id: newId(),
    name: textOr(body['name'], template?.name ?? 'Document'),
    state: 'uploaded',
    createdAt: now,
    modifiedAt: now,
    completedAt: null,
    sentAt: null,
    isDeleted: false,
    recipients,
    fields: fieldsOf(template?.fields ?? [templateField('Signature', null)], recipients, body['fields']),
    file: file === null ? null : { name: file.fileName ?? '', bytes: file.bytes },
    tokens: objectsIn(body['tokens']),
    tags: Array.isArray(body['tags']) ? body['tags'].map(String) : [],
    metadata: typeof metadata === 'object' && metadata !== null ? { ...metadata } : {},
    templateId,
    folder: typeof body['folder_uuid'] === 'string' ? body['folder_uuid'] : null,
    quotes: [{ id: newId(), currency: 'USD', total: '0', summary: {}, sections: [] }],
    attachments: [],
    linkedObjects: [],
    audit: [],
  };
}
