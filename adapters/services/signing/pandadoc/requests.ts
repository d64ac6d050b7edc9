import { lacks } from '#adapters/services/definitions/vendor-operations.ts';
import { statusCode } from '#adapters/services/signing/pandadoc/status-codes.ts';
import { isObject } from '#domain/json/json-data.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** Converts states to numbers, and metadata to one query parameter per key (`metadata_deal_id=8`). */
function documentFilter({ status, status__ne, metadata, ...inputs }: Inputs): Inputs {
  const entries = isObject(metadata) ? Object.entries(metadata) : [];
  return {
    ...inputs,
    status: statusCode(status),
    status__ne: statusCode(status__ne),
    ...Object.fromEntries(entries.map(([key, value]) => [`metadata_${key}`, value])),
  };
}

/** Adds what the provider requires: recipients for a document from a template, a name for one from a PDF. */
function completeDocument(inputs: Inputs): Inputs {
  if (inputs['file'] !== undefined) return dataField(namedAsFile(inputs));
  const { template_uuid, url, recipients = [], name } = inputs;
  if (template_uuid !== undefined) return { ...inputs, recipients };
  return typeof url === 'string' ? { ...inputs, name: name ?? nameOfFile(url, 'Document') } : inputs;
}

/** Adds a name to a template without one, since the provider requires a body. */
function completeTemplate(inputs: Inputs): Inputs {
  if (inputs['file'] !== undefined) return dataField(namedAsFile(inputs));
  const { url, name } = inputs;
  return { ...inputs, name: name ?? nameOfFile(typeof url === 'string' ? url : '', 'Template') };
}

/** Adds a body, which the provider requires for sending: the default of `silent`. */
const completeSending = (inputs: Inputs): Inputs => ({ ...inputs, silent: inputs['silent'] ?? false });

/** Converts a manually set state to its number. */
const statusByNumber = (inputs: Inputs): Inputs => ({ ...inputs, status: statusCode(inputs['status']) });

/** Converts page and count to limit and offset. */
function limitAndOffset({ page = 1, count = 50, ...inputs }: Inputs): Inputs {
  return { ...inputs, limit: count, offset: (Number(page) - 1) * Number(count) };
}

/** Drops paging inputs for a list that is always returned whole. */
function withoutPages(inputs: Inputs): Inputs {
  const { page: _, count: __, ...rest } = inputs;
  return rest;
}

/** Selects the path by kind: folders of documents and of templates are two separate trees. */
const treeInPath = ({ tree, ...inputs }: Inputs): Inputs => ({ ...inputs, kind: tree ?? 'documents' });

/** Markdown is uploaded apart from PDF and DOCX. */
const documentUpload = (fileName: string): string =>
  `/public/v1/documents?${/\.(?:md|markdown)$/i.test(fileName) ? 'upload-markdown' : 'upload'}`;

/** Uses the file's name for what is created from it, unless a name is given. */
function namedAsFile(inputs: Inputs): Inputs {
  const { file, name } = inputs;
  const given = isObject(file) && typeof file['name'] === 'string' ? file['name'] : '';
  return { ...inputs, name: name ?? withoutExtension(given) };
}

/** Encodes the inputs sent with an uploaded file as one JSON field; options of the upload itself stay in the query. */
function dataField({ file, use_form_field_properties, ...inputs }: Inputs): Inputs {
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined);
  const upload = { file, use_form_field_properties };
  return given.length === 0 ? upload : { ...upload, data: JSON.stringify(Object.fromEntries(given)) };
}

/** The name of the file at the end of an address, without extension. */
function nameOfFile(url: string, otherwise: string): string {
  const last = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '';
  const name = withoutExtension(decoded(last));
  return name === '' ? otherwise : name;
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[a-z0-9]{1,8}$/i, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The requests in which PandaDoc differs, by operation. */
export const requests = {
  'documents.list': { adapt: documentFilter },
  'documents.create': { uploadPath: documentUpload, adapt: completeDocument },
  'documents.send': { adapt: completeSending },
  'documents.set_status': { adapt: statusByNumber },
  'documents.audit_trail': { path: '/public/v2/documents/{id}/audit-trail', adapt: limitAndOffset },
  'recipients.list': { path: '/public/v1/documents/{id}/details' },
  'recipients.update': { path: '/public/v1/documents/{id}/recipients/recipient/{rid}' },
  'quotes.list': { path: '/public/v1/documents/{id}/details' },
  'quotes.update': { method: 'PUT' },
  'templates.create': { uploadPath: () => '/public/v1/templates?upload', adapt: completeTemplate },
  'forms.get': lacks(),
  'folders.list': { path: '/public/v1/{kind}/folders', adapt: treeInPath },
  'folders.create': { path: '/public/v1/{kind}/folders', adapt: treeInPath },
  'folders.rename': { method: 'PUT', path: '/public/v1/{kind}/folders/{id}', adapt: treeInPath },
  'folders.delete': lacks(),
  'content_items.create': { path: '/public/v1/content-library-items?upload', adapt: dataField },
  'contacts.list': { adapt: withoutPages },
  'members.list': { adapt: withoutPages },
} as const;
