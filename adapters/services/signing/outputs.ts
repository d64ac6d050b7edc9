import { pagesOf, recordOf } from '#adapters/services/answers/output.ts';
import {
  anything,
  byName,
  flag,
  idOf,
  many,
  number,
  ownId,
  part,
  text,
  texts,
} from '#adapters/services/answers/output-members.ts';

const dates = { date_created: text(), date_modified: text() };
const document = {
  name: text(),
  status: text('Such as document.sent'),
  ...dates,
  date_completed: text(),
  expiration_date: text(),
  id: ownId(),
};

/** A document: its name, state and dates. */
export const oneDocument = recordOf(document);
/** A page of documents. */
export const manyDocuments = pagesOf(document);

const whose = { first_name: text(), last_name: text(), email: text() };
const link = {
  recipient_type: text(),
  shared_link: text('Link with which this recipient opens the document'),
  id: ownId(),
};

/** A document that was sent, with the link of each recipient. */
export const sentDocument = recordOf({
  ...document,
  recipients: many({ ...whose, ...link }),
});

/** A document with all its parts. */
export const documentDetails = recordOf({
  name: text(),
  status: text(),
  ref_number: text(),
  date_sent: text(),
  date_completed: text(),
  expiration_date: text(),
  ...dates,
  grand_total: part({ amount: text(), currency: text() }),
  recipients: many({
    ...whose,
    has_completed: flag(),
    signature_date: text(),
    role: text(),
    signing_order: number(),
    ...link,
  }),
  fields: many({
    name: text(),
    value: anything(),
    type: text(),
    assigned_to: part({ email: text(), role: text(), id: idOf('The recipient') }),
    field_id: text(),
  }),
  tokens: many({ name: text(), value: text() }, 'Variables'),
  pricing: byName('Tables and quotes'),
  metadata: byName(),
  tags: texts(),
  template: part({ name: text(), id: ownId() }),
  created_by: part({ email: text(), id: ownId() }),
  linked_objects: many({ provider: text(), entity_type: text(), entity_id: text(), id: ownId() }),
  folder_uuid: text(),
  id: ownId(),
});

const template = { name: text(), status: text('Such as template.PROCESSED'), ...dates, id: ownId() };

/** A template: its name, state and dates. */
export const oneTemplate = recordOf(template);
/** A template with the roles of its recipients. */
export const templateWithRoles = recordOf({ ...template, roles: many({ name: text(), id: ownId() }) });
/** A page of templates. */
export const manyTemplates = pagesOf({ name: text(), ...dates, id: ownId() });
