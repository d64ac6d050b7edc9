import { z } from 'zod';
import {
  type GivenName,
  type NameCandidate,
  type PickedName,
  pickNamed,
  unknownNamed,
} from '#adapters/services/answers/name-lookup.ts';
import type { CallRow, RecipeConnection } from '#adapters/services/requests/operation-table.ts';
import type { NamedInput } from '#adapters/services/requests/row-options.ts';
import {
  type CrmKind,
  type NamedRecord,
  namedRecords,
  type SearchedKind,
  searchNamed,
} from '#adapters/services/sales-crm/details/named-records.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { quoted } from '#domain/operations/input-error.ts';
import { type Failure, type Outcome, refusedInput, succeeded } from '#domain/operations/outcome.ts';
import { foldedName } from '#domain/text/folded-name.ts';
import { ReadThrough } from '#infrastructure/memory/read-through.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** What a name look-up needs: the rows of the service, for one connection. */
export type LookUp = Readonly<{ call: CallRow; connection: Pick<RecipeConnection, 'id'>; effect: Effect }>;

const kinds: Readonly<Record<CrmKind, Pick<GivenName, 'title' | 'plural' | 'isPerson'>>> = {
  stage: { title: 'stage', plural: 'stages' },
  pipeline: { title: 'pipeline', plural: 'pipelines' },
  user: { title: 'user', plural: 'users', isPerson: true },
  organization: { title: 'organization', plural: 'organizations' },
  person: { title: 'person', plural: 'persons', isPerson: true },
};
const kindSchema = z.enum(['stage', 'pipeline', 'user', 'organization', 'person']);

/** How long the lists of stages, pipelines and users are cached per connection, in ms. */
const keptMs = 60_000;

/**
 * Resolves names of the sales CRM's records among a row's inputs to ids. Small kinds are listed, and cached for a
 * minute.
 */
export class SalesCrmNames {
  readonly #lists = new ReadThrough<string, readonly NamedRecord[]>({ max: 1_000, ttl: keptMs });
  readonly #found = new ReadThrough<string, PickedName>({ max: 2_000, ttl: keptMs });

  /**
   * Returns the inputs with names replaced by ids; a failure names the unknown or ambiguous one, with the candidates.
   */
  async resolve(named: Readonly<Record<string, NamedInput>>, inputs: Inputs, lookUp: LookUp): Promise<Outcome<Inputs>> {
    let resolved = inputs;
    const warnings: string[] = [];
    // What others are looked up in comes first: the pipeline of a stage, the organization of a person.
    const entries = Object.entries(named).toSorted(([, left], [, right]) => rankOf(left) - rankOf(right));
    for (const [input, { kind, fills = input }] of entries) {
      const { [input]: name, ...rest } = resolved;
      if (typeof name !== 'string') continue;
      if (rest[fills] !== undefined) return givenTwice(input, fills);
      const picked = await this.#pick({ input, kind: kindSchema.parse(kind), name }, rest, lookUp);
      if (!picked.ok) return picked;
      if (picked.data.remark !== null) warnings.push(picked.data.remark);
      resolved = { ...rest, [fills]: Number(picked.data.ids[0]) };
    }
    return { ...succeeded(resolved), warnings };
  }

  async #pick({ input, kind, name }: Asked, inputs: Inputs, lookUp: LookUp): Promise<Outcome<PickedName>> {
    if (/^\d+$/.test(name)) return succeeded({ ids: [name], name, remark: null });
    const use = lookUp.effect === 'read' ? 'read' : 'write';
    const given = { input, ...kinds[kind], name, use } as const;
    if (kind === 'organization' || kind === 'person') return this.#search(given, kind, inputs, lookUp);
    const pipeline = kind === 'stage' ? await pipelineOf(inputs, lookUp.call) : succeeded(null);
    if (!pipeline.ok) return pipeline;
    const among = (records: readonly NamedRecord[]) =>
      pipeline.data === null ? records : records.filter(({ group }) => group === pipeline.data);
    for (const isFresh of [false, true]) {
      const records = await this.#list(kind, lookUp, isFresh);
      if (!records.ok) return records;
      const picked = pickNamed(given, await this.#shown(among(records.data), lookUp));
      const elsewhere = exactly(name, await this.#shown(records.data, lookUp));
      if (picked !== null && (!picked.ok || picked.data.remark === null || elsewhere.length === 0)) return picked;
      if (!isFresh) continue;
      const where = pipeline.data === null ? '' : ` in the pipeline ${await this.#pipelineName(pipeline.data, lookUp)}`;
      const failure = unknownNamed(given, { where, candidates: await this.#shown(among(records.data), lookUp) });
      return withOtherPlaces(failure, elsewhere);
    }
    return unknownNamed(given, {});
  }

  /**
   * Searches for a record of a kind too large to list: by its exact name, then by parts of it; similar ones are offered.
   * Of persons with one name, those of the given organization are meant. A call that only reads caches what it found.
   */
  async #search(given: GivenName, kind: SearchedKind, inputs: Inputs, lookUp: LookUp): Promise<Outcome<PickedName>> {
    const org = kind === 'person' ? (inputs['org_id'] ?? inputs['organization_id']) : undefined;
    const key = JSON.stringify([lookUp.connection.id, kind, given.name, org]);
    let candidates: readonly NameCandidate[] = [];
    const search = async (): Promise<Outcome<PickedName>> => {
      for (const how of ['exactly', 'inside', 'alike'] as const) {
        const found = await searchNamed(lookUp.call, kind, given.name, how);
        if (!found.ok) return found;
        candidates = found.data.map((one) => candidateOf(one));
        if (how === 'alike') break;
        const picked = pickNamed(given, candidates, found.pagination?.hasMore === true);
        const inOrg =
          picked?.ok === false ? found.data.filter(({ group }) => group === org).map((one) => candidateOf(one)) : [];
        const settled = (inOrg.length === 0 ? null : pickNamed(given, inOrg)) ?? picked;
        if (settled !== null) return settled;
      }
      return unknownNamed(given, { candidates });
    };
    if (given.use === 'write') return search();
    let outcome: Outcome<PickedName> | null = null;
    const known = await this.#found.get(key, async () => {
      outcome = await search();
      return outcome.ok ? outcome.data : null;
    });
    return known === null ? (outcome ?? unknownNamed(given, {})) : succeeded(known);
  }

  /** Lists all records of a kind. A cached list is read again when it lacks a name, since the record may be new. */
  async #list(kind: CrmKind, { call, connection }: LookUp, isFresh: boolean): Promise<Outcome<readonly NamedRecord[]>> {
    const key = `${connection.id} ${kind}`;
    let failure: Failure | null = null;
    if (isFresh) this.#lists.forget(key);
    const found = await this.#lists.get(key, async () => {
      const records = await namedRecords(call, kind);
      if (!records.ok) failure = records;
      return records.ok ? records.data : null;
    });
    return failure ?? succeeded(found ?? []);
  }

  /** Converts records to candidates; stages are shown with their pipeline. */
  async #shown(records: readonly NamedRecord[], lookUp: LookUp): Promise<readonly NameCandidate[]> {
    const groups = new Map<number, string>();
    for (const { group } of records) {
      if (group !== null && !groups.has(group)) groups.set(group, await this.#pipelineName(group, lookUp));
    }
    return records.map((record) => candidateOf(record, record.group === null ? undefined : groups.get(record.group)));
  }

  async #pipelineName(id: number, lookUp: LookUp): Promise<string> {
    const pipelines = await this.#list('pipeline', lookUp, false);
    const name = pipelines.ok ? pipelines.data.find((pipeline) => pipeline.id === id)?.names[0] : undefined;
    return name == null ? String(id) : `"${name}"`;
  }
}

type Asked = Readonly<{ input: string; kind: CrmKind; name: string }>;

const rankOf = ({ kind }: NamedInput): number => (kind === 'stage' || kind === 'person' ? 1 : 0);

function candidateOf({ id, names, shown }: NamedRecord, place?: string): NameCandidate {
  return { id: String(id), called: names, shown: place !== undefined ? `${shown} (pipeline ${place})` : shown };
}

const dealPipeline = z.looseObject({ pipeline_id: z.number() });

/**
 * The pipeline in which to look up a stage: the given one, else that of the deal being changed; null when there is
 * neither.
 */
async function pipelineOf(inputs: Inputs, call: CallRow): Promise<Outcome<number | null>> {
  const { pipeline_id: given, id } = inputs;
  if (typeof given === 'number') return succeeded(given);
  if (typeof id !== 'number') return succeeded(null);
  const deal = await call('deals.get', { id });
  if (!deal.ok) return deal;
  return succeeded(dealPipeline.safeParse(deal.data).data?.pipeline_id ?? null);
}

/** The candidates with exactly this name. */
const exactly = (name: string, candidates: readonly NameCandidate[]) =>
  candidates.filter(({ called }) => called.some((one) => one != null && foldedName(one) === foldedName(name)));

/** Adds to the failure for an unknown stage in which other pipelines it exists. */
function withOtherPlaces(failure: Failure, elsewhere: readonly NameCandidate[]): Failure {
  if (elsewhere.length === 0) return failure;
  const places = elsewhere.slice(0, 5).map(({ shown, id }) => `${shown}, id ${id}`);
  return { ...failure, message: `${failure.message} There is ${places.join('; ')}: give \`pipeline\`, too.` };
}

function givenTwice(input: string, fills: string): Failure {
  const message = `${quoted(input)} names what ${quoted(fills)} is the id of: give one of them.`;
  return refusedInput([{ path: [input], message }]);
}
