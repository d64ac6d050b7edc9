import { z } from 'zod';
import { email, folderUuid, formatted, publicPdf } from '#adapters/services/signing/inputs.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

/** Members of the service's objects that are not named here are passed through. */
const openObject = z.record(z.string(), z.unknown());

/** Name and value pairs for a document's variables. */
const tokens = z
  .array(z.strictObject({ name: z.string(), value: z.string() }))
  .describe('Values of variables, such as [{"name": "Client.Company", "value": "Acme"}]')
  .meta(inLists({ type: 'array', items: { type: 'object' } }));

/** Labels. */
const tags = z.array(z.string()).describe('Tags of the document');

/** The caller's own data, stored with the document. */
const metadata = openObject.describe('Your own data kept with it, such as {"deal_id": "8"}');

const recipients = z
  .array(
    z.strictObject({
      email: email.optional().describe('E-mail address; needed unless there is a phone number'),
      phone: z.string().optional(),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
      role: z.string().optional().describe('The recipient\'s role as the template names it, such as "Client"'),
      signing_order: z.number().int().nullable().optional().describe('Who signs first, second…; null for no order'),
      id: z.string().optional().describe('Of an existing recipient'),
      type: z.string().optional(),
      name: z.string().max(120).optional().describe('Of a group of recipients'),
      members: z.array(openObject).optional().describe('Of a group'),
      delivery_methods: openObject.optional(),
      verification_settings: openObject.optional(),
      redirect: openObject.optional(),
    }),
  )
  .describe('Who gets the document, such as [{"email": "a@example.com", "first_name": "Ann", "role": "Client"}]')
  .meta(
    inLists({
      type: 'array',
      items: { type: 'object' },
      description:
        'Such as [{"email": "a@example.com", "first_name": "Ann", "last_name": "Lee", "role": "Client", "signing_order": 1}]; role as the template names it, phone instead of email',
    }),
  );

const parts = {
  name: z.string().min(1).optional().describe('Name of the document'),
  recipients: recipients.optional(),
  fields: openObject
    .optional()
    .describe('Values of fields by their merge name, such as {"Date": {"value": "2026-11-21"}}'),
  tokens: tokens.optional(),
  tags: tags.optional(),
  metadata: metadata.optional(),
  pricing_tables: z
    .array(openObject)
    .optional()
    .describe('Rows of the pricing tables: {"name", "sections": [{"title", "rows"}]}'),
  tables: z.array(openObject).optional().describe('Rows of other tables, by the name of the table'),
  images: z
    .array(z.strictObject({ name: z.string(), urls: z.array(z.string()) }))
    .optional()
    .describe('Pictures for the image blocks, by the name of the block')
    .meta(
      inLists({
        type: 'array',
        items: { type: 'object' },
        description: 'Pictures for image blocks: [{"name": "Logo", "urls": ["https://…"]}]',
      }),
    ),
  texts: z
    .array(z.strictObject({ name: z.string(), data: z.string() }))
    .optional()
    .describe('Text for the text blocks, by the name of the block; Markdown')
    .meta(
      inLists({
        type: 'array',
        items: { type: 'object' },
        description: 'Markdown for text blocks: [{"name": "Terms", "data": "…"}]',
      }),
    ),
};

const owner = z
  .strictObject({ email: email.optional(), membership_id: z.string().optional() })
  .optional()
  .describe('Owner: a member by e-mail or membership id; you by default')
  .meta(inLists({ type: 'object', description: 'Owner, if not you: {"email"} or {"membership_id"}' }));

/** The inputs for creating a document. */
export const newDocument = {
  template_uuid: z.string().min(1).optional().describe('The template to create it from; this or `url` is needed'),
  url: publicPdf.describe('Public https address of a PDF, instead of `template_uuid`'),
  ...parts,
  folder_uuid: folderUuid.describe('The folder to put it into'),
  owner,
  parse_form_fields: z.boolean().optional().describe('For a PDF: true when it has form fields, false for field tags'),
  detect_title_variables: z
    .boolean()
    .optional()
    .describe('Whether variables in the title are filled')
    .meta(inLists(false)),
  content_placeholders: z.array(openObject).optional().describe('Content library items for the placeholders'),
  use_form_field_properties: z
    .enum(['yes', '1', 'true'])
    .optional()
    .describe('For a PDF with form fields: keeps their properties')
    .meta(inLists(false)),
};

/** The inputs for creating a document of a file, besides the file. */
export const fileDocument = {
  name: parts.name,
  recipients: parts.recipients.meta(
    inLists({
      type: 'array',
      items: { type: 'object' },
      description: 'Such as [{"email": "a@example.com", "first_name": "Ann"}]',
    }),
  ),
  tags: parts.tags.meta(inLists(false)),
  metadata: parts.metadata,
  folder_uuid: newDocument.folder_uuid.meta(inLists(false)),
  parse_form_fields: newDocument.parse_form_fields.meta(inLists(false)),
};

/** The inputs for changing a draft. */
export const documentChange = parts;

/** The inputs for creating a template. */
export const newTemplate = {
  url: publicPdf.describe('Public https address of the PDF to create it from'),
  name: z.string().min(1).optional().describe('Name of the template'),
  folder_uuid: folderUuid.describe('The folder to put it into'),
  owner,
  metadata: metadata.optional(),
  tokens: tokens.optional(),
};

/** The inputs for sending a document. */
export const sending = {
  message: z.string().optional().describe('Text of the e-mail to the recipients'),
  subject: z.string().optional().describe('Subject of the e-mail'),
  silent: z.boolean().optional().describe('true sends no e-mails, for documents that are embedded or linked'),
  sender: owner
    .describe('Who sends it: a member by e-mail or membership id')
    .meta(inLists({ type: 'object', description: 'Who sends it: {"email"} or {"membership_id"}' })),
  forwarding_settings: z
    .strictObject({
      forwarding_allowed: z.boolean().optional(),
      forwarding_with_reassigning_allowed: z.boolean().optional(),
    })
    .optional()
    .describe('Whether recipients may pass the document on, and their fields with it')
    .meta(
      inLists({
        type: 'object',
        description: '{"forwarding_allowed": true, "forwarding_with_reassigning_allowed": false}',
      }),
    ),
  reply_to: email.optional().describe('Address for replies'),
  selected_approvers: openObject.optional().describe('The approvers, where the document has an approval workflow'),
};

/** The inputs for changing a recipient, who is a person or a group. */
export const recipientChange = {
  email: email.optional().describe('E-mail address; one that no other contact has'),
  phone: z.string().optional().describe('Phone number in the international form, such as "+14842634627"'),
  delivery_methods: z
    .strictObject({ email: z.boolean().optional(), sms: z.boolean().optional() })
    .optional()
    .describe('Whether the document reaches the recipient by e-mail, by text message, or both'),
  first_name: z.string().optional().describe('First name'),
  last_name: z.string().optional().describe('Last name'),
  company: z.string().optional().describe('Company that the recipient works for'),
  title: z.string().optional().describe('Job title'),
  state: z.string().optional().describe('State of the address'),
  street_address: z.string().optional().describe('Street and house number of the address'),
  city: z.string().optional().describe('City of the address'),
  postal_code: z.string().optional().describe('Postal code of the address'),
  country: z.string().optional().describe('Country of the address by its name, such as "United States"'),
  verification_settings: openObject.optional().describe('How the recipient proves who it is, such as by a passcode'),
  redirect: z
    .strictObject({ is_enabled: z.boolean(), url: formatted('uri', z.url(), 'an address') })
    .optional()
    .describe('Address to redirect to after signing'),
  name: z.string().max(120).optional().describe('Name of the group, when the recipient is a group'),
  members: z
    .array(z.strictObject({ email: email, first_name: z.string().optional(), last_name: z.string().optional() }))
    .optional()
    .describe('Members of the group, when the recipient is a group'),
};

/** The inputs for changing a quote, i.e. a pricing table. */
export const quoteChange = {
  currency: z.string().length(3).optional().describe('Currency code of ISO 4217, such as EUR'),
  summary: openObject.optional().describe('Discounts, fees and taxes on the whole, by name'),
  sections: z.array(openObject).optional().describe('Sections with their items; one without a known id is created'),
  settings: z
    .strictObject({ selection_type: z.enum(['custom', 'single', 'multiple']).optional() })
    .optional()
    .describe('How a recipient chooses among the sections'),
};
