import { own } from '#domain/shared/own.ts';
import { page } from '#test/emulators/suite-crm/listing.ts';
import { plain } from '#test/emulators/suite-crm/query-text.ts';
import {
  type Asked,
  done,
  failing,
  listIn,
  nothing,
  objectOf,
  ok,
  type Reply,
  refusal,
  refused,
  written,
} from '#test/emulators/suite-crm/reply.ts';
import { schema } from '#test/emulators/suite-crm/schema.ts';
import { type CrmState, owner, unknownId } from '#test/emulators/suite-crm/state.ts';

type Tag = Readonly<{ id: string; name: string; color_code: string | null; module: string }>;

/** How the emulated CRM is set up: users, modules, fields, roles, profiles, tags. */
export class SettingsRoutes {
  readonly #state: CrmState;
  readonly #tags = new Map<string, Tag>();

  constructor(state: CrmState) {
    this.#state = state;
  }

  users(asked: Asked): Reply {
    const all = [
      { ...owner, full_name: owner.name, status: 'active', role: { name: 'CEO' }, profile: { name: 'Administrator' } },
      {
        id: '1000000000002',
        full_name: 'Ben Rep',
        email: 'ben@crm.example',
        status: 'active',
        role: { name: 'Sales' },
      },
    ];
    const shown = asked.query.get('type') === 'CurrentUser' ? all.slice(0, 1) : all;
    const reply = page(shown, { ...asked, query: pagingOf(asked.query) }, { isZoho: false, now: () => 0 });
    if (typeof reply.json !== 'object' || reply.json === null || !('data' in reply.json)) return reply;
    const { data, ...rest } = reply.json;
    return ok({ users: data, ...rest });
  }

  readonly organization = (): Reply =>
    ok({
      org: [{ id: '7000', company_name: 'Emulated Ltd', country_code: 'CH', license_details: { paid_type: 'free' } }],
    });

  readonly modules = (): Reply =>
    ok({
      modules: this.#state.modules().map((api_name, at) => ({
        id: String(9_000 + at),
        api_name,
        plural_label: api_name.replaceAll('_', ' '),
        api_supported: true,
        status: 'visible',
      })),
    });

  /** The fields of a module: named by the path, or by the query in the provider's own words. */
  fields({ params, query }: Asked): Reply {
    const module = params['module'] ?? query.get('module') ?? '';
    const fields = own(schema, module);
    if (!this.#state.isModule(module))
      return failing(refusal('INVALID_MODULE', 'the module name given seems to be invalid'));
    if (fields === undefined) return nothing;
    return ok({
      fields: fields.map((field, at) => ({
        id: String(8_000 + at),
        api_name: field.api_name,
        data_type: field.data_type,
        system_mandatory: field.isMandatory === true,
        unique: field.isUnique === true ? { casesensitive: 'false' } : {},
        ...(field.lookup === undefined ? {} : { lookup: { module: { api_name: field.lookup } } }),
      })),
    });
  }

  readonly roles = (): Reply =>
    ok({
      roles: [
        { id: '1', name: 'CEO', display_label: 'CEO' },
        { id: '2', name: 'Sales', display_label: 'Sales' },
      ],
    });

  readonly profiles = (): Reply =>
    ok({
      profiles: [
        { id: '1', name: 'Administrator' },
        { id: '2', name: 'Standard' },
      ],
    });

  tags({ query }: Asked): Reply {
    const module = query.get('module');
    if (module === null)
      return failing(
        refusal('REQUIRED_PARAM_MISSING', 'One of the expected param is missing', { param_name: 'module' }),
      );
    const tags = [...this.#tags.values()].filter((tag) => tag.module === module);
    return ok({ tags, info: { count: tags.length, allowed_count: 200 } });
  }

  addTags({ query, body }: Asked): Reply {
    const module = query.get('module');
    const tags = listIn(body, 'tags');
    if (module === null || tags === null) {
      return failing(
        refusal('REQUIRED_PARAM_MISSING', 'One of the expected param is missing', { param_name: 'module' }),
      );
    }
    const outcomes = tags.map((asked) => {
      const name = plain(asked['name']);
      const same = this.#tagNamed(module, name);
      if (same !== null) return refused(refusal('DUPLICATE_DATA', 'duplicate data', { id: same.id, api_name: 'name' }));
      return done('tags created successfully', this.#keep(module, name, asked['color_code']));
    });
    return written('tags', outcomes, 201);
  }

  changeTag({ params: { id = '' }, body }: Asked): Reply {
    const tag = this.#tags.get(id);
    const asked = listIn(body, 'tags')?.[0];
    if (tag === undefined || asked === undefined) return written('tags', [refused(unknownId(id))], 200);
    const changed = { ...tag, name: plain(asked['name']), color_code: plain(asked['color_code']) || tag.color_code };
    this.#tags.set(id, changed);
    return written('tags', [done('tags updated successfully', changed)], 200);
  }

  removeTag({ params: { id = '' } }: Asked): Reply {
    const isThere = this.#tags.delete(id);
    return written('tags', [isThere ? done('tags were deleted successfully', { id }) : refused(unknownId(id))], 200);
  }

  addToRecord(asked: Asked): Reply {
    const isReplacing = objectOf(asked.body)?.['over_write'] === true || asked.query.get('over_write') === 'true';
    return this.#onRecord(asked, 'tags updated successfully', (has, named) => [
      ...(isReplacing ? [] : has).filter(({ name }) => !named.some((tag) => tag.name === name)),
      ...named,
    ]);
  }

  removeFromRecord(asked: Asked): Reply {
    return this.#onRecord(asked, 'tags removed successfully', (has, named) =>
      has.filter(({ name }) => !named.some((tag) => tag.name === name)),
    );
  }

  #onRecord(
    { params: { module = '', id = '' }, body }: Asked,
    message: string,
    change: (has: readonly Named[], named: readonly Named[]) => readonly Named[],
  ): Reply {
    const record = this.#state.find(module, id);
    const tags = listIn(body, 'tags');
    if (tags === null) return failing(refusal('MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'tags' }));
    if (record === null) return written('data', [refused(unknownId(id))], 200);
    const named = tags.map((tag) => {
      const name = plain(tag['name']);
      return this.#tagNamed(module, name) ?? this.#keep(module, name, tag['color_code']);
    });
    const has = Array.isArray(record['Tag']) ? record['Tag'].map(namedTag) : [];
    const all = change(has, named.map(namedTag));
    this.#state.update(module, id, { Tag: all });
    return written('data', [done(message, { id, tags: all.map(({ name }) => name) })], 200);
  }

  #tagNamed(module: string, name: string): Tag | null {
    return [...this.#tags.values()].find((tag) => tag.module === module && tag.name === name) ?? null;
  }

  #keep(module: string, name: string, color: unknown): Tag {
    const tag: Tag = { id: this.#state.id(), name, color_code: typeof color === 'string' ? color : null, module };
    this.#tags.set(tag.id, tag);
    return tag;
  }
}

type Named = Readonly<{ id: string; name: string }>;

function namedTag(tag: unknown): Named {
  const object = typeof tag === 'object' && tag !== null ? tag : {};
  return { id: 'id' in object ? plain(object.id) : '', name: 'name' in object ? plain(object.name) : '' };
}

function pagingOf(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name === 'page' || name === 'per_page'));
}
