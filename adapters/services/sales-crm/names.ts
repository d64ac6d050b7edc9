import { z } from 'zod';
import { type GivenName, type NameCandidate, pickNamed, unknownNamed } from '#adapters/services/name-lookup.ts';
import type { CallRow, RecipeConnection } from '#adapters/services/operation-table.ts';
import type { NamedInput } from '#adapters/services/row-options.ts';
import {
  type CrmKind,
  type NamedRecord,
  namedRecords,
  searchNamed,
} from '#adapters/services/sales-crm/details/named-records.ts';
import { quoted } from '#domain/operations/input-error.ts';
import { type Failure, type Outcome, refusedInput, succeeded } from '#domain/operations/outcome.ts';
import { ReadThrough } from '#infrastructure/memory/read-through.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** What a name look-up needs: the rows of the service, for one connection. */
export type LookUp = Readonly<{ call: CallRow; connection: Pick<RecipeConnection, 'id'> }>;

const kinds: Readonly<Record<CrmKind, Readonly<{ title: string; plural: string }>>> = {
  stage: { title: 'stage', plural: 'stages' },
  pipeline: { title: 'pipeline', plural: 'pipelines' },
  user: { title: 'user', plural: 'users' },
  organization: { title: 'organization', plural: 'organizations' },
  person: { title: 'person', plural: 'persons' },
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

  /**
   * Returns the inputs with names replaced by ids; a failure names the unknown or ambiguous one, with the candidates.
   */
  async resolve(named: Readonly<Record<string, NamedInput>>, inputs: Inputs, lookUp: LookUp): Promise<Outcome<Inputs>> {
    let resolved = inputs;
    // Stages last: the pipeline in which one is looked up may be given by name as well.
    const entries = Object.entries(named).toSorted(([, left], [, right]) => rankOf(left) - rankOf(right));
    for (const [input, { kind, fills }] of entries) {
      const { [input]: name, ...rest } = resolved;
      if (typeof name !== 'string') continue;
      if (rest[fills] !== undefined) return givenTwice(input, fills);
      const id = await this.#idOf({ input, kind: kindSchema.parse(kind), name }, rest, lookUp);
      if (!id.ok) return id;
      resolved = { ...rest, [fills]: id.data };
    }
    return succeeded(resolved);
  }

  async #idOf({ input, kind, name }: Asked, inputs: Inputs, lookUp: LookUp): Promise<Outcome<number>> {
    if (/^\d+$/.test(name)) return succeeded(Number(name));
    const given = { input, ...kinds[kind], name };
    if (kind === 'organization' || kind === 'person') return searched(given, kind, lookUp.call);
    const pipeline = kind === 'stage' ? await pipelineOf(inputs, lookUp.call) : succeeded(null);
    if (!pipeline.ok) return pipeline;
    const among = (records: readonly NamedRecord[]) =>
      pipeline.data === null ? records : records.filter(({ group }) => group === pipeline.data);
    for (const isFresh of [false, true]) {
      const records = await this.#list(kind, lookUp, isFresh);
      if (!records.ok) return records;
      const picked = pickNamed(given, await this.#shown(among(records.data), lookUp));
      if (picked !== null) return numbered(picked);
      if (!isFresh) continue;
      const where = pipeline.data === null ? '' : ` in the pipeline ${await this.#pipelineName(pipeline.data, lookUp)}`;
      const failure = unknownNamed(given, { where, candidates: await this.#shown(among(records.data), lookUp) });
      return withOtherPlaces(failure, name, await this.#shown(records.data, lookUp));
    }
    return unknownNamed(given, {});
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

/** Searches for a record of a kind too large to list; similar names are offered as choices. */
async function searched(given: GivenName, kind: 'organization' | 'person', call: CallRow): Promise<Outcome<number>> {
  let candidates: readonly NameCandidate[] = [];
  for (const isExact of [true, false]) {
    const found = await searchNamed(call, kind, { name: given.name, isExact });
    if (!found.ok) return found;
    candidates = found.data.map((one) => candidateOf(one));
    const picked = pickNamed(given, candidates);
    if (picked !== null) return numbered(picked);
  }
  return unknownNamed(given, { candidates });
}

type Asked = Readonly<{ input: string; kind: CrmKind; name: string }>;

const rankOf = ({ kind }: NamedInput): number => (kind === 'stage' ? 1 : 0);

function candidateOf({ id, names, shown }: NamedRecord, place?: string): NameCandidate {
  return { id: String(id), called: names, shown: place !== undefined ? `${shown} (pipeline ${place})` : shown };
}

const numbered = (picked: Outcome<string>): Outcome<number> => (picked.ok ? succeeded(Number(picked.data)) : picked);

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

/** Adds to the failure for an unknown stage in which other pipelines it exists. */
function withOtherPlaces(failure: Failure, name: string, all: readonly NameCandidate[]): Failure {
  const elsewhere = all.filter(({ called }) => called.some((one) => one?.toLowerCase() === name.toLowerCase()));
  if (elsewhere.length === 0) return failure;
  const places = elsewhere.slice(0, 5).map(({ shown, id }) => `${shown}, id ${id}`);
  return { ...failure, message: `${failure.message} There is ${places.join('; ')}: give \`pipeline\`, too.` };
}

function givenTwice(input: string, fills: string): Failure {
  const message = `${quoted(input)} names what ${quoted(fills)} is the id of: give one of them.`;
  return refusedInput([{ path: [input], message }]);
}
