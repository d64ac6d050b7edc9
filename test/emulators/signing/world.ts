import { randomBytes, randomUUID } from 'node:crypto';

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** Which dialect the emulator speaks: the neutral one, or the vendor's. */
export type Words = 'neutral' | 'pandadoc';

/** Who gets a document. */
export type Recipient = {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: string;
  recipient_type: 'signer' | 'CC';
  has_completed: boolean;
  contact_id: string | null;
  [more: string]: unknown;
};

/** A document and all it has. `state` is a bare word; times are Unix ms. */
export type Document = {
  id: string;
  name: string;
  state: string;
  createdAt: number;
  modifiedAt: number;
  completedAt: number | null;
  sentAt: number | null;
  isDeleted: boolean;
  recipients: Recipient[];
  fields: Json[];
  tokens: Json[];
  tags: string[];
  metadata: Json;
  templateId: string | null;
  folder: string | null;
  /** The file that it was made of. */
  file: Readonly<{ name: string; bytes: Buffer }> | null;
  quotes: Json[];
  attachments: Json[];
  linkedObjects: Json[];
  audit: Json[];
};

/** A template, form, content library item or folder. */
export type Item = {
  id: string;
  name: string;
  createdAt: number;
  parent: string | null;
  /** The fields of a template. */
  fields?: readonly Json[];
  [more: string]: unknown;
};

/** Where deliveries go. No triggers means every event. */
export type Subscription = {
  uuid: string;
  name: string;
  url: string;
  sharedKey: string;
  active: boolean;
  /** Whether the provider has switched it off. */
  isDeactivated: boolean;
  triggers: string[];
};

/** Everything the emulated service knows, in memory. */
export type World = {
  readonly words: Words;
  readonly documents: Map<string, Document>;
  readonly templates: Map<string, Item>;
  readonly forms: Map<string, Item>;
  readonly folders: Map<string, Item>;
  readonly templateFolders: Map<string, Item>;
  readonly contentItems: Map<string, Item>;
  readonly contacts: Json[];
  readonly members: Json[];
  readonly subscriptions: Map<string, Subscription>;
  readonly timers: Set<NodeJS.Timeout>;
  /** Milliseconds from upload to draft; null: only when `process` is called. */
  draftAfterMs: number | null;
  /** How many of the next documents fail in the making. */
  creationsToFail: number;
  /** Bytes that a downloaded PDF has at least. */
  pdfBytes: number;
  /** How many of the next downloads are answered 202: not ready yet. */
  pendingDownloads: number;
};

/** An identifier as the service makes them. */
export const newId = (): string => randomBytes(16).toString('base64url').replaceAll(/[-_]/g, 'x');

/** A moment as the service writes it. */
export const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const item = (id: string, name: string, more: Json = {}): [string, Item] => [
  id,
  { id, name, createdAt: Date.now(), parent: null, ...more },
];

/** A field of a template, which a role fills. */
export const templateField = (name: string, role: string | null, type = 'signature'): Json => ({
  uuid: newId(),
  name,
  field_id: name.toLowerCase().replaceAll(' ', '_'),
  type,
  value: type === 'signature' ? {} : '',
  is_filled: false,
  role,
});

const signatures = [
  templateField('Client signature', 'Client'),
  templateField('Owner signature', 'Owner'),
  templateField('Client.Company', 'Client', 'text'),
];

/** A service with a few records to begin with. */
export function newWorld(words: Words, draftAfterMs: number | null): World {
  return {
    words,
    documents: new Map(),
    templates: new Map([
      item('tpl-nda', 'NDA', { fields: signatures }),
      item('tpl-offer', 'Offer', { fields: signatures }),
    ]),
    forms: new Map([item('form-lead', 'Lead form', { status: 'active' })]),
    folders: new Map([item('folder-contracts', 'Contracts')]),
    templateFolders: new Map([item('folder-sales', 'Sales')]),
    contentItems: new Map([item('cli-terms', 'Terms')]),
    contacts: [
      { id: 'contact-ann', email: 'ann@example.com', first_name: 'Ann', last_name: 'Archer', company: 'Acme' },
      { id: 'contact-bob', email: 'bob@example.com', first_name: 'Bob', last_name: 'Baker', company: 'Bolt' },
      { id: 'contact-cleo', email: 'cleo@example.com', first_name: 'Cleo', last_name: 'Cole', company: 'Acme' },
    ],
    members: [
      {
        user_id: 'user-1',
        membership_id: 'member-1',
        email: 'owner@example.com',
        first_name: 'Olga',
        last_name: 'Owner',
        is_active: true,
        role: 'Admin',
      },
      {
        user_id: 'user-2',
        membership_id: 'member-2',
        email: 'staff@example.com',
        first_name: 'Stan',
        last_name: 'Staff',
        is_active: true,
        role: 'Member',
      },
    ],
    subscriptions: new Map(),
    timers: new Set(),
    draftAfterMs,
    creationsToFail: 0,
    pdfBytes: 0,
    pendingDownloads: 0,
  };
}

/** A state as answers have it: `document.sent`; the provider's own word for expired is voided. */
export const stateText = (world: World, state: string): string =>
  `document.${state === 'expired' && world.words === 'pandadoc' ? 'voided' : state}`;

/** Notes what was done to a document. */
export function note(document: Document, action: string, email = 'owner@example.com'): void {
  document.audit.push({
    id: randomUUID(),
    user: { id: 'user-1', email },
    action,
    reason: null,
    date_created: moment(Date.now()),
    ip_address: '127.0.0.1',
  });
}

/** A document as lists and the status endpoint show it. */
export const summaryOf = (world: World, document: Document): Json => ({
  id: document.id,
  name: document.name,
  status: stateText(world, document.state),
  date_created: moment(document.createdAt),
  date_modified: moment(document.modifiedAt),
  date_completed: moment(document.completedAt),
  expiration_date: null,
  version: document.state === 'uploaded' ? null : '2',
  uuid: document.id,
});

/** A document with all it has. */
export const detailsOf = (world: World, document: Document): Json => ({
  ...summaryOf(world, document),
  date_sent: moment(document.sentAt),
  folder_uuid: document.folder,
  template:
    document.templateId === null
      ? null
      : { id: document.templateId, name: world.templates.get(document.templateId)?.name },
  recipients: document.recipients,
  fields: document.fields,
  tokens: document.tokens,
  tags: document.tags,
  metadata: document.metadata,
  pricing: { tables: [], quotes: document.quotes, total: '0' },
  linked_objects: document.linkedObjects,
  grand_total: { amount: '0.00', currency: 'USD' },
});
