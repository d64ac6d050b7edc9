import {
  done,
  invalid,
  json,
  notFound,
  objectIn,
  paged,
  type Reply,
  textOr,
} from '#test/emulators/signing/exchange.ts';
import { bodyIn, type FormPart, formIn } from '#test/emulators/signing/form.ts';
import type { Handler } from '#test/emulators/signing/handler.ts';
import { type Item, type Json, moment, newId, type World } from '#test/emulators/signing/world.ts';

type Shelf = (world: World) => Map<string, Item>;

function shown({ createdAt, ...rest }: Item): Json {
  const { parent: _, fields: __, ...item } = rest;
  return { ...item, date_created: moment(createdAt), date_modified: moment(createdAt), version: '2' };
}

const shownFolder = ({ id, name, createdAt }: Item): Json => ({ uuid: id, name, date_created: moment(createdAt) });

const fits = (item: Item, query: URLSearchParams): boolean =>
  item.name.toLowerCase().includes((query.get('q') ?? query.get('name') ?? '').toLowerCase()) &&
  [null, item.id].includes(query.get('id')) &&
  [null, item['status']].includes(query.get('status'));

/** A list of a shelf, by page and count. */
export const listOf =
  (shelf: Shelf): Handler =>
  ({ world }, { query }) =>
    paged(query, [...shelf(world).values()].filter((item) => fits(item, query)).map(shown));

/** The forms, whose lists also state whether there are more. */
export const listForms: Handler = ({ world }, { query }) => {
  const found = [...world.forms.values()].filter((item) => fits(item, query)).map(shown);
  const page = paged(query, found);
  if (page.status !== 200) return page;
  const seen = Number(query.get('page') ?? 1) * Number(query.get('count') ?? 50);
  return json(200, { ...Object(page.json), has_next_page: found.length > seen });
};

/** The roles of every template. */
export const templateRoles = [
  { id: 'role-client', name: 'Client' },
  { id: 'role-owner', name: 'Owner' },
];

/** One of a shelf. */
export const getOf =
  (shelf: Shelf, status: string, more: Json = {}): Handler =>
  ({ world }, { params }) => {
    const item = shelf(world).get(params['id'] ?? '');
    return item === undefined ? notFound : json(200, { status, ...shown(item), ...more });
  };

/** GET /templates/{id}/details: with its roles, and the fields that each fills. */
export const templateDetails: Handler = ({ world }, { params }) => {
  const template = world.templates.get(params['id'] ?? '');
  if (template === undefined) return notFound;
  const fields = (template.fields ?? []).map(({ role, ...field }) => ({
    ...field,
    assigned_to: templateRoles.find(({ name }) => name === role) ?? null,
  }));
  return json(200, { status: 'template.PROCESSED', ...shown(template), roles: templateRoles, fields });
};

/** Takes one off a shelf. */
export const deleteOf =
  (shelf: Shelf): Handler =>
  ({ world }, { params }) =>
    shelf(world).delete(params['id'] ?? '') ? done : notFound;

function put(shelf: Map<string, Item>, name: string, parent: string | null = null): Item {
  const item = { id: newId(), name, createdAt: Date.now(), parent };
  shelf.set(item.id, item);
  return item;
}

/** POST /templates */
export const createTemplate: Handler = ({ world }, ask) => {
  const body = bodyIn(ask);
  if (body === null) return invalid({ non_field_errors: ['A JSON object is required.'] });
  return json(201, shown(put(world.templates, textOr(body['name'], 'Template'))));
};

/** GET /folders, in the provider's own words below documents or templates */
export const listFolders =
  (shelf: Shelf): Handler =>
  ({ world }, { query }) =>
    paged(
      query,
      [...shelf(world).values()].filter(({ parent }) => parent === query.get('parent_uuid')).map(shownFolder),
    );

/** POST /folders */
export const createFolder =
  (shelf: Shelf): Handler =>
  ({ world }, ask) => {
    const body = objectIn(ask);
    const name = body?.['name'];
    if (typeof name !== 'string') return invalid({ name: ['This field is required.'] });
    const parent = body?.['parent_uuid'];
    return json(201, shownFolder(put(shelf(world), name, typeof parent === 'string' ? parent : null)));
  };

/** PATCH, in the provider's own words PUT, /folders/{id} */
export const renameFolder =
  (shelf: Shelf): Handler =>
  ({ world }, ask) => {
    const folder = shelf(world).get(ask.params['id'] ?? '');
    const name = objectIn(ask)?.['name'];
    if (folder === undefined) return notFound;
    if (typeof name !== 'string') return invalid({ name: ['This field is required.'] });
    folder.name = name;
    return json(200, shownFolder(folder));
  };

/** POST /content-library-items: a form with a file; its name is a field, or within the JSON field `data`. */
export const uploadItem: Handler = ({ world }, ask) => {
  const form = formIn(ask);
  const file = form?.find(({ name }) => name === 'file');
  if (form === null || file?.fileName == null) return invalid({ file: ['A file is required.'] });
  const given = world.words === 'pandadoc' ? nameInData(form) : form.find(({ name }) => name === 'name')?.text;
  const item = put(world.contentItems, given ?? file.fileName);
  item['size'] = file.bytes.byteLength;
  return json(201, { status: 'cli.UPLOADED', ...shown(item) });
};

function nameInData(form: readonly FormPart[]): string | undefined {
  const data: unknown = JSON.parse(form.find(({ name }) => name === 'data')?.text ?? '{}');
  return typeof data === 'object' && data !== null && 'name' in data ? String(data.name) : undefined;
}

/** GET /contacts: always whole in the provider's own words. */
export const listContacts: Handler = ({ world }, { query }) => {
  const found = world.contacts.filter(({ email }) => [null, email].includes(query.get('email')));
  return wholeOrPaged(world, query, found);
};

/** GET /members: always whole in the provider's own words. */
export const listMembers: Handler = ({ world }, { query }) => wholeOrPaged(world, query, world.members);

function wholeOrPaged(world: World, query: URLSearchParams, items: readonly Json[]): Reply {
  return world.words === 'pandadoc' ? json(200, { results: items }) : paged(query, items);
}
