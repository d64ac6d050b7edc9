import { statusCode } from '#adapters/services/signing/details/status-codes.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** States as numbers, and metadata as one query parameter a key (`metadata_deal_id=8`). */
export function documentFilter({ status, status__ne, metadata, ...inputs }: Inputs): Inputs {
  const entries = typeof metadata === 'object' && metadata !== null ? Object.entries(metadata) : [];
  return {
    ...inputs,
    status: statusCode(status),
    status__ne: statusCode(status__ne),
    ...Object.fromEntries(entries.map(([key, value]) => [`metadata_${key}`, value])),
  };
}

/** A document needs recipients when it comes from a template, and a name when it comes from a PDF. */
export function completeDocument(inputs: Inputs): Inputs {
  if (inputs['file'] !== undefined) return dataField(namedAsFile(inputs));
  const { template_uuid, url, recipients = [], name } = inputs;
  if (template_uuid !== undefined) return { ...inputs, recipients };
  return typeof url === 'string' ? { ...inputs, name: name ?? nameOfFile(url, 'Document') } : inputs;
}

/** A template needs something in its body. */
export function completeTemplate(inputs: Inputs): Inputs {
  if (inputs['file'] !== undefined) return dataField(namedAsFile(inputs));
  const { url, name } = inputs;
  return { ...inputs, name: name ?? nameOfFile(typeof url === 'string' ? url : '', 'Template') };
}

/** Sending needs a body, be it what holds anyway. */
export const completeSending = (inputs: Inputs): Inputs => ({ ...inputs, silent: inputs['silent'] ?? false });

/** A state that is set by hand goes as its number. */
export const statusByNumber = (inputs: Inputs): Inputs => ({ ...inputs, status: statusCode(inputs['status']) });

/** Page and count become limit and offset. */
export function limitAndOffset({ page = 1, count = 50, ...inputs }: Inputs): Inputs {
  return { ...inputs, limit: count, offset: (Number(page) - 1) * Number(count) };
}

/** A list that always comes whole knows no pages. */
export function withoutPages(inputs: Inputs): Inputs {
  const { page: _, count: __, ...rest } = inputs;
  return rest;
}

/** Folders of documents and of templates are two trees, each below its own path. */
export const treeInPath = ({ tree, ...inputs }: Inputs): Inputs => ({ ...inputs, kind: tree ?? 'documents' });

/** What is made of a file needs a name; without one it has that of the file. */
function namedAsFile(inputs: Inputs): Inputs {
  const { file, name } = inputs;
  const given = typeof file === 'object' && file !== null && 'name' in file ? String(file.name) : '';
  return { ...inputs, name: name ?? withoutExtension(given) };
}

/** What goes with an uploaded file is one field of JSON; a word about the upload itself stays in the query. */
export function dataField({ file, use_form_field_properties, ...inputs }: Inputs): Inputs {
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined);
  const upload = { file, use_form_field_properties };
  return given.length === 0 ? upload : { ...upload, data: JSON.stringify(Object.fromEntries(given)) };
}

/** The name of the file that an address ends with, without its extension. */
function nameOfFile(url: string, otherwise: string): string {
  const last = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '';
  const name = withoutExtension(decoded(last));
  return name === '' ? otherwise : name;
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[a-z0-9]{1,5}$/i, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
