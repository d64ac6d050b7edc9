import { z } from 'zod';
import { mapped, parsed } from '#adapters/services/answers/read-answers.ts';
import type { SendRequest } from '#adapters/services/definitions/vendor-operations.ts';
import type { RecipeConnection } from '#adapters/services/requests/operation-table.ts';
import { wordNumber } from '#adapters/services/requests/word-number.ts';
import type { Members } from '#adapters/services/sales-crm/hubspot/kinds.ts';
import type { hubspotRequests } from '#adapters/services/sales-crm/hubspot/requests.ts';
import { textIn } from '#adapters/services/sales-crm/hubspot/values.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';

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

/** What an operation works with: its connection, and the requests over it. */
export type Call = Readonly<{ send: SendRequest<typeof hubspotRequests>; connection: RecipeConnection }>;

/** The pipelines of deals, in display order. */
export const pipelinesOf = async ({ send }: Call): Promise<Outcome<readonly Pipeline[]>> =>
  mapped(parsed(await send('pipelines', { type: 'deals' }), pipelineSchema), pipelinesIn);

/** The properties of a type of record; none where the connection may not read them. */
export async function propertiesOf({ send }: Call, type: string): Promise<Outcome<readonly Property[]>> {
  const known = parsed(await send('properties', { type }), z.array(propertySchema));
  return !known.ok && known.reason === 'forbidden' ? succeeded([]) : known;
}

function pipelinesIn(list: z.output<typeof pipelineSchema>): readonly Pipeline[] {
  return inOrder(list).map(({ id: key, label: name, stages }, index) => {
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
