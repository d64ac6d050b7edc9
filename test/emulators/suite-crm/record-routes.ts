import { answerQuery } from '#test/emulators/suite-crm/coql-answer.ts';
import { readCoql } from '#test/emulators/suite-crm/coql-text.ts';
import { readCriteria } from '#test/emulators/suite-crm/criteria-text.ts';
import { fieldsIn, fieldsOf, unknownField } from '#test/emulators/suite-crm/known-fields.ts';
import { type ListWords, page, sorted } from '#test/emulators/suite-crm/listing.ts';
import { meets, NotAQuery, plain, type Stored, type Tree } from '#test/emulators/suite-crm/query-text.ts';
import {
  type Asked,
  failing,
  listIn,
  nothing,
  objectOf,
  ok,
  type Reply,
  refusal,
  written,
} from '#test/emulators/suite-crm/reply.ts';
import type { CrmState } from '#test/emulators/suite-crm/state.ts';

const noModule = failing(
  refusal('INVALID_MODULE', 'the module name given seems to be invalid', { resource_path_index: 0 }),
);
const noData = failing(
  refusal('MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'data', json_path: '$' }),
);

/** Records of any module, as routes: `module` and `id` are parts of the path. */
export class RecordRoutes {
  readonly #state: CrmState;
  readonly #isZoho: boolean;

  constructor(state: CrmState, isZoho: boolean) {
    this.#state = state;
    this.#isZoho = isZoho;
  }

  list(asked: Asked): Reply {
    const { module = '' } = asked.params;
    if (!this.#state.isModule(module)) return noModule;
    const ids = asked.query.get('ids')?.split(',') ?? null;
    const converted = asked.query.get('converted') ?? 'false';
    const items = this.#state
      .all(module)
      .filter((item) => ids === null || ids.includes(String(item['id'])))
      .filter((item) => converted === 'both' || String(item['$converted'] === true) === converted);
    return page(sorted(items, asked.query), asked, this.#words(true));
  }

  get({ params: { module = '', id = '' } }: Asked): Reply {
    if (!this.#state.isModule(module)) return noModule;
    const record = this.#state.find(module, id);
    return record === null ? nothing : ok({ data: [record] });
  }

  create({ params: { module = '' }, body }: Asked): Reply {
    const records = listIn(body, 'data');
    if (!this.#state.isModule(module)) return noModule;
    if (records === null || records.length === 0) return noData;
    if (records.length > 100) return failing(refusal('LIMIT_EXCEEDED', 'more than 100 records', { limit: 100 }));
    return written(
      'data',
      this.#state.batch(records, (record) => this.#state.create(module, record)),
      201,
    );
  }

  update({ params: { module = '', id = '' }, body }: Asked): Reply {
    const records = listIn(body, 'data');
    if (!this.#state.isModule(module)) return noModule;
    if (records === null) return noData;
    return written(
      'data',
      this.#state.batch(records.slice(0, 1), (record) => this.#state.update(module, id, record)),
      200,
    );
  }

  remove({ params: { module = '', id = '' } }: Asked): Reply {
    if (!this.#state.isModule(module)) return noModule;
    return written(
      'data',
      this.#state.batch([{}], () => this.#state.remove(module, id)),
      200,
    );
  }

  upsert({ params: { module = '' }, body }: Asked): Reply {
    const records = listIn(body, 'data');
    if (!this.#state.isModule(module)) return noModule;
    if (records === null || records.length === 0) return noData;
    const asked = objectOf(body)?.['duplicate_check_fields'];
    const by = Array.isArray(asked) ? asked.map(String) : this.#state.uniqueFields(module);
    const outcomes = this.#state.batch(records, (record) => {
      const double = this.#state.duplicate(module, record, by);
      if (double === null) return { ...this.#state.create(module, record), action: 'insert', duplicate_field: null };
      const outcome = this.#state.update(module, double.id, record);
      return { ...outcome, action: 'update', duplicate_field: double.field };
    });
    return written('data', outcomes, 200);
  }

  deleted(asked: Asked): Reply {
    const { module = '' } = asked.params;
    if (!this.#state.isModule(module)) return noModule;
    const type = asked.query.get('type') ?? 'all';
    const items = this.#state.deleted(module).filter((item) => type === 'all' || item.type === type);
    return page(items, asked, this.#words(false));
  }

  search(asked: Asked): Reply {
    const { module = '' } = asked.params;
    if (!this.#state.isModule(module)) return noModule;
    const ways = ['criteria', 'email', 'phone', 'word'].filter((way) => asked.query.has(way));
    const [way] = ways;
    if (way === undefined || ways.length > 1) {
      return failing(
        refusal('REQUIRED_PARAM_MISSING', 'One of the expected parameter is missing', { param_name: 'criteria' }),
      );
    }
    const wanted = asked.query.get(way) ?? '';
    try {
      const tree = way === 'criteria' ? readCriteria(wanted) : null;
      const strange = tree === null ? null : unknownField(this.#state, module, fieldsIn(tree));
      if (strange !== null) return failing(invalidColumn(strange));
      const fits = tree === null ? fitsText(way, wanted) : fitsCriteria(tree);
      return page(sorted(this.#state.all(module).filter(fits), asked.query), asked, this.#words(false));
    } catch (error) {
      if (!(error instanceof NotAQuery)) throw error;
      return failing(refusal('INVALID_QUERY', 'invalid query formed', { reason: error.message }));
    }
  }

  coql({ body }: Asked): Reply {
    const text = objectOf(body)?.['select_query'];
    if (typeof text !== 'string') {
      return failing(refusal('MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'select_query' }));
    }
    try {
      const query = readCoql(text);
      if (!this.#state.isModule(query.from))
        return failing(refusal('INVALID_QUERY', 'invalid module', { module: query.from }));
      if (query.limit > 2_000) return failing(refusal('LIMIT_EXCEEDED', 'the limit is 2000', { limit: 2_000 }));
      const strange = unknownField(this.#state, query.from, fieldsOf(query));
      if (strange !== null) return failing(invalidColumn(strange));
      const { data, more } = answerQuery(this.#state, query);
      return data.length === 0 ? nothing : ok({ data, info: { count: data.length, more_records: more } });
    } catch (error) {
      if (!(error instanceof NotAQuery)) throw error;
      return failing(refusal('SYNTAX_ERROR', 'syntax error', { near: error.message }));
    }
  }

  #words(demandsFields: boolean): ListWords {
    return { isZoho: this.#isZoho, now: () => this.#state.clock.now(), demandsFields };
  }
}

const invalidColumn = (api_name: string) =>
  refusal('INVALID_QUERY', 'invalid query formed', { reason: 'column given seems to be invalid', api_name });

const fitsCriteria = (tree: Tree) => (record: Stored) => meets(record, tree, (stored, field) => stored[field]);

function fitsText(way: string, wanted: string): (record: Stored) => boolean {
  const field = { email: /email/i, phone: /phone|mobile/i, word: /./ }[way] ?? /./;
  return (record) =>
    Object.entries(record).some(
      ([name, value]) => field.test(name) && plain(value).toLowerCase().includes(wanted.toLowerCase()),
    );
}
