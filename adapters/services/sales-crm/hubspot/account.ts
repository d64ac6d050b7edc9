import { z } from 'zod';
import { CachedOutcomes } from '#adapters/services/cached-outcomes.ts';
import type { RecipeConnection } from '#adapters/services/operation-table.ts';
import type { Members } from '#adapters/services/sales-crm/hubspot/kinds.ts';
import type { hubspotRequests } from '#adapters/services/sales-crm/hubspot/requests.ts';
import { textIn } from '#adapters/services/sales-crm/hubspot/values.ts';
import type { SendRequest } from '#adapters/services/vendor-operations.ts';
import { wordNumber } from '#adapters/services/word-number.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** How long pipelines and properties of an account are cached, in ms. */
const keptMs = 60_000;

const [word, order, flag] = [z.string(), z.number().catch(0), z.boolean().catch(false)];
const label = { id: word, label: word, displayOrder: order, archived: flag };
const stageSchema = z.looseObject({ ...label, metadata: z.record(z.string(), z.unknown()).catch({}) });
const pipelineSchema = z.array(z.looseObject({ ...label, stages: z.array(stageSchema).catch([]) }));
const propertySchema = z
  .object({ name: word, type: word.catch('string'), fieldType: word.catch('text'), hubspotDefined: flag })
  .transform(({ name, type, fieldType, hubspotDefined }) => {
    return { name, type: fieldType === 'checkbox' ? 'list' : type, isCustom: !hubspotDefined };
  });

/** A property of a type of record. */
type Property = Readonly<z.output<typeof propertySchema>>;

/** A stage of deals in the kind's words; `key` is HubSpot's id. */
export type Stage = Place & Readonly<{ pipeline_id: number; pipeline: string }> & Ending;
type Place = Readonly<{ id: number; key: string; name: string; order_nr: number }>;
type Ending = Readonly<{ deal_probability: number | null; status: 'open' | 'won' | 'lost' }>;

/** A pipeline of deals in the kind's words, with its stages in display order. */
export type Pipeline = Place & Readonly<{ stages: readonly Stage[] }>;

/** The stages of all pipelines. */
export const stagesIn = (pipelines: readonly Pipeline[]): readonly Stage[] => pipelines.flatMap(({ stages }) => stages);

/** What an operation works with: its connection, the requests over it, and what is known of the account. */
export type Call = Readonly<{
  send: SendRequest<typeof hubspotRequests>;
  connection: RecipeConnection;
  account: Account;
}>;

/** What is known of the accounts behind connections: the pipelines of deals, and the properties of records. */
export class Account {
  readonly #pipelines = new CachedOutcomes(keptMs, pipelinesIn);
  readonly #properties = new CachedOutcomes(keptMs, propertiesIn);

  /** The pipelines of deals, in display order. */
  pipelines({ send, connection }: Call): Promise<Outcome<readonly Pipeline[]>> {
    return this.#pipelines.get(connection.id, () => send('pipelines', { type: 'deals' }));
  }

  /** The properties of a type of record; none where the connection may not read them. */
  async properties({ send, connection }: Call, type: string): Promise<Outcome<readonly Property[]>> {
    const known = await this.#properties.get(`${connection.id} ${type}`, () => send('properties', { type }));
    return !known.ok && known.reason === 'forbidden' ? succeeded([]) : known;
  }

  /** Reads the pipelines again at the next call, since one was changed. */
  forgetPipelines({ connection }: Call): void {
    this.#pipelines.forget(connection.id);
  }
}

function propertiesIn(list: unknown): readonly Property[] | null {
  return z.array(propertySchema).safeParse(list).data ?? null;
}

function pipelinesIn(list: unknown): readonly Pipeline[] | null {
  const parsed = pipelineSchema.safeParse(list).data;
  if (parsed === undefined) return null;
  return inOrder(parsed).map(({ id: key, label: name, stages }, index) => {
    const id = wordNumber(key);
    const members = inOrder(stages).map((stage, index) => {
      const place = { id: wordNumber(stage.id), key: stage.id, name: stage.label, order_nr: index + 1 };
      return { ...place, pipeline_id: id, pipeline: key, ...closing(stage.metadata) };
    });
    return { id, key, name, order_nr: index + 1, is_deal_probability_enabled: true, stages: members };
  });
}

function inOrder<One extends Readonly<{ displayOrder: number; archived: boolean }>>(list: readonly One[]) {
  return list.filter(({ archived }) => !archived).toSorted((left, right) => left.displayOrder - right.displayOrder);
}

/** The values of a stage's metadata are texts. A closed stage is won when its deals are certain, else lost. */
function closing({ probability, isClosed }: Members): Ending {
  const share = Number(probability ?? Number.NaN);
  const isEnd = textIn(isClosed ?? (share === 0 || share === 1)) === 'true';
  const status = isEnd ? (share === 1 ? 'won' : 'lost') : 'open';
  return { deal_probability: Number.isNaN(share) ? null : Math.round(share * 100), status };
}
