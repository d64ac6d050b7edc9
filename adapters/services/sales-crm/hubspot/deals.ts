import { withWarnings } from '#adapters/services/answers/read-answers.ts';
import {
  type Call,
  type Pipeline,
  pipelinesOf,
  type Stage,
  stagesIn,
} from '#adapters/services/sales-crm/hubspot/account.ts';
import { archive, createOne, updateOne } from '#adapters/services/sales-crm/hubspot/changes.ts';
import { dealKind, leadKind, lineItemKind, type Members } from '#adapters/services/sales-crm/hubspot/kinds.ts';
import { among, equals, type Filter, listRecords, noPlace, wrong } from '#adapters/services/sales-crm/hubspot/lists.ts';
import { readOne } from '#adapters/services/sales-crm/hubspot/reading.ts';
import { textIn, timeIn } from '#adapters/services/sales-crm/hubspot/values.ts';
import { isObject } from '#domain/json/json-data.ts';
import { type Outcome, refusedInput, succeeded } from '#domain/operations/outcome.ts';

type Pipelines = readonly Pipeline[];

/** The condition of the stages whose deals have a status. */
export function statusFilter(pipelines: Pipelines, status: unknown): Filter {
  const stages = stagesIn(pipelines).filter((stage) => stage.status === status);
  return among(
    'dealstage',
    stages.map(({ key }) => key),
  );
}

/** Lists deals. */
export async function listDeals(call: Call, { pipeline_id, stage_id, status, ...input }: Members): Promise<Outcome> {
  const pipelines = await pipelinesOf(call);
  if (!pipelines.ok) return pipelines;
  if (status === 'deleted') return wrong('status', 'HubSpot lists no deleted deals.');
  const place = placeOf(pipelines.data, { pipeline_id, stage_id });
  if (!place.ok) return place;
  const { pipeline, stage } = place.data;
  const filters = [
    ...(pipeline === undefined ? [] : [equals('pipeline', pipeline.key)]),
    ...(stage === undefined ? [] : [equals('dealstage', stage.key)]),
    ...(status === undefined ? [] : [statusFilter(pipelines.data, status)]),
  ];
  return listRecords(call, dealKind, input, { filters });
}

type Place = Readonly<{ pipeline?: Pipeline | undefined; stage?: Stage | undefined }>;

function placeOf(pipelines: Pipelines, { pipeline_id, stage_id }: Members): Outcome<Place> {
  const pipeline = pipelines.find(({ id }) => id === pipeline_id);
  const stage = stagesIn(pipelines).find(({ id }) => id === stage_id);
  if (pipeline_id !== undefined && pipeline === undefined) return wrong('pipeline_id', 'There is no such pipeline.');
  if (stage_id !== undefined && stage === undefined) return wrong('stage_id', 'There is no such stage.');
  return succeeded({ pipeline, stage });
}

/** Creates a deal: in the first open stage of the first pipeline, unless the input says another. */
export async function createDeal(call: Call, input: Members): Promise<Outcome> {
  const moved = await movedBy(call, input, {});
  return moved.ok ? createOne(call, dealKind, moved.data.rest, moved.data.texts) : moved;
}

/** Changes a deal. Its status is that of its stage: another one moves it to the first stage of that status. */
export async function updateDeal(call: Call, input: Members): Promise<Outcome> {
  const isMoved = input['status'] !== undefined || input['pipeline_id'] !== undefined;
  const before = isMoved ? await readOne(call, dealKind, { id: input['id'] }) : succeeded<Members>({});
  if (!before.ok) return before;
  const moved = await movedBy(call, input, before.data);
  if (!moved.ok) return moved;
  const { rest, texts } = moved.data;
  return updateOne(call, dealKind, rest, { texts, before: isMoved ? before.data : undefined });
}

type Moved = Readonly<{ rest: Members; texts: Readonly<Record<string, string | null>> }>;

/** Separates the inputs that a stage stands for; `before` are the deal's members, none for a new one. */
async function movedBy(call: Call, input: Members, before: Members): Promise<Outcome<Moved>> {
  const { status, stage_id, pipeline_id, close_time, won_time, lost_time, is_archived, is_deleted, ...rest } = input;
  const refused = Object.entries({ is_archived, is_deleted }).filter(([, value]) => value === true);
  if (refused.length > 0) return refusedInput(refused.map(([name]) => noPlace(name)));
  const pipelines = await pipelinesOf(call);
  if (!pipelines.ok) return pipelines;
  const place = placeOf(pipelines.data, { pipeline_id, stage_id });
  if (!place.ok) return place;
  const isNew = input['id'] === undefined;
  const stage = stageFor(pipelines.data, { ...place.data, status: status ?? (isNew ? 'open' : undefined) }, before);
  if (!stage.ok) return stage;
  const { key, pipeline } = stage.data ?? {};
  const closed = close_time ?? won_time ?? lost_time;
  const texts = {
    ...(key === undefined || pipeline === undefined ? {} : { dealstage: key, pipeline }),
    ...(typeof closed === 'string' ? { closedate: timeIn(closed) } : {}),
  };
  return succeeded({ rest, texts });
}

/** The stage that a deal moves to; null when it stays. */
function stageFor(
  pipelines: Pipelines,
  { pipeline, stage, status }: Place & Readonly<{ status: unknown }>,
  before: Members,
): Outcome<Stage | null> {
  if (stage !== undefined) {
    if (pipeline !== undefined && pipeline.key !== stage.pipeline)
      return wrong('stage_id', 'It is in another pipeline.');
    // A new deal in a stage has the status of it.
    const isFit = status === undefined || status === stage.status || (status === 'open' && before['id'] === undefined);
    return isFit ? succeeded(stage) : wrong('stage_id', `Its deals are ${stage.status}: give the stage or the status.`);
  }
  const home = pipeline ?? pipelines.find(({ id }) => id === before['pipeline_id']) ?? pipelines[0];
  const wanted = status ?? before['status'];
  const isThere = wanted === before['status'] && home?.id === before['pipeline_id'];
  if (isThere || wanted === undefined) return succeeded(null);
  const found = home?.stages.find((one) => one.status === wanted);
  return found === undefined
    ? wrong('status', `The pipeline has no stage for ${textIn(wanted)} deals.`)
    : succeeded(found);
}

/**
 * Makes a deal of a lead, with its title, person and organization, and deletes the lead, which can be restored in
 * HubSpot for 90 days.
 */
export async function dealOfLead(call: Call, { id, ...place }: Members): Promise<Outcome> {
  const lead = await readOne(call, leadKind, { id });
  if (!lead.ok) return lead;
  const { title, person_id, organization_id: org_id, owner_id } = lead.data;
  const known = Object.entries({ title, person_id, org_id, owner_id }).filter(([, value]) => value != null);
  const deal = await createDeal(call, { ...Object.fromEntries(known), ...place });
  if (!deal.ok) return deal;
  const deleted = await archive(call, leadKind, { id });
  const why = deleted.ok ? [] : [`The deal was created, and the lead not deleted. ${deleted.message}`];
  const converted = { deal_id: isObject(deal.data) ? deal.data['id'] : null, status: 'completed' };
  return withWarnings(succeeded(converted), [...(deal.warnings ?? []), ...why]);
}

/** Adds a product to a deal, as a line item. */
export function addProduct(call: Call, { id, ...input }: Members): Promise<Outcome> {
  return createOne(call, lineItemKind, { ...input, deal_id: id });
}
