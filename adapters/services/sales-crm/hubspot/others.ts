import { z } from 'zod';
import { pageOf } from '#adapters/services/answers/joined-lists.ts';
import { allPagesByCursor, parsed, withWarnings } from '#adapters/services/answers/read-answers.ts';
import { fileInput } from '#adapters/services/requests/file-input.ts';
import { wordNumber } from '#adapters/services/requests/word-number.ts';
import { type Call, pipelinesOf, stagesIn } from '#adapters/services/sales-crm/hubspot/account.ts';
import { createdId, createOne, updateOne } from '#adapters/services/sales-crm/hubspot/changes.ts';
import { type Members, noteKind, productKind } from '#adapters/services/sales-crm/hubspot/kinds.ts';
import { noPlace, sortOf, wrong } from '#adapters/services/sales-crm/hubspot/lists.ts';
import { filled, type Texts, textIn } from '#adapters/services/sales-crm/hubspot/values.ts';
import { isObject } from '#domain/json/json-data.ts';
import { failed, type Outcome, refusedInput, succeeded } from '#domain/operations/outcome.ts';

/** Lists the pipelines of deals. */
export async function listPipelines(call: Call, input: Members): Promise<Outcome> {
  const pipelines = await pipelinesOf(call);
  return pipelines.ok ? pageOf(pipelines.data, input) : pipelines;
}

/** Lists the stages of pipelines. */
export async function listStages(call: Call, input: Members): Promise<Outcome> {
  const pipelines = await pipelinesOf(call);
  if (!pipelines.ok) return pipelines;
  const { pipeline_id: of } = input;
  const stages = stagesIn(pipelines.data).filter((stage) => of === undefined || stage.pipeline_id === of);
  return pageOf(stages, input);
}

/** The stages of a new pipeline, which HubSpot has none without: an open one and the two ends. */
const firstStages = Object.entries({ Open: '0.5', Won: '1.0', Lost: '0.0' }).map(
  ([label, probability], displayOrder) => ({ label, displayOrder, metadata: { probability } }),
);

/** Creates a pipeline. */
export async function createPipeline(call: Call, { name }: Members): Promise<Outcome> {
  const pipeline = { label: String(name), displayOrder: -1, stages: firstStages };
  return placed(await call.send('createPipeline', { type: 'deals', ...pipeline }), { name });
}

/** Adds a stage at the end of a pipeline. HubSpot keeps probabilities in steps of ten percent. */
export async function createStage(call: Call, input: Members): Promise<Outcome> {
  const { name, pipeline_id, deal_probability = 50, is_deal_rot_enabled: rots, days_to_rotten } = input;
  if (rots === true || days_to_rotten !== undefined) return refusedInput([noPlace('is_deal_rot_enabled')]);
  const before = await pipelinesOf(call);
  if (!before.ok) return before;
  const pipeline = before.data.find(({ id }) => id === pipeline_id);
  if (pipeline === undefined) return wrong('pipeline_id', 'There is no such pipeline.');
  const probability = (Number(deal_probability) / 100).toFixed(1);
  const stage = { label: String(name), displayOrder: pipeline.stages.length, metadata: { probability } };
  const made = await call.send('createStage', { type: 'deals', pipeline: pipeline.key, ...stage });
  return placed(made, { name, pipeline_id, deal_probability: Number(probability) * 100 });
}

function placed(made: Outcome, members: Members): Outcome {
  return made.ok ? succeeded({ ...members, id: wordNumber(createdId(made.data) ?? '') }) : made;
}

const text = z.string().nullish().catch(null);
const ownerSchema = z
  .object({ id: z.string(), email: text, firstName: text, lastName: text, archived: z.boolean().catch(false) })
  .transform(({ id, email, firstName, lastName, archived }) => {
    const name = filled([firstName, lastName]).join(' ') || filled([email, id])[0];
    return { id: Number(id), name, email, active_flag: !archived };
  });

/** Lists the users: HubSpot's owners, whose ids are not those of users. */
export function listUsers({ send }: Call): Promise<Outcome> {
  const page = (after: string | null) => send('owners', { limit: 500, ...(after === null ? {} : { after }) });
  return allPagesByCursor(page, ownerSchema);
}

/** Gets the user of the connection, whose id comes with the tokens. */
export async function getMe({ send, connection }: Call): Promise<Outcome> {
  const { user_id: id } = connection.extra;
  const nobody = 'A private app’s token is of no user. Connect by OAuth, or name the owner.';
  if (typeof id !== 'number') return failed('rejected', nobody);
  return parsed(await send('owner', { id: String(id), idProperty: 'userId' }), ownerSchema);
}

/** Creates a product. */
export async function createProduct(call: Call, { prices, ...input }: Members): Promise<Outcome> {
  const texts = priceTexts(call, prices);
  return texts.ok ? createOne(call, productKind, input, texts.data) : texts;
}

/** Changes a product. */
export async function updateProduct(call: Call, { prices, ...input }: Members): Promise<Outcome> {
  const texts = priceTexts(call, prices);
  return texts.ok ? updateOne(call, productKind, input, { texts: texts.data }) : texts;
}

/** The texts for the one price that HubSpot has room for: in the account's currency, where known. */
function priceTexts({ connection }: Call, prices: unknown): Outcome<Texts> {
  const [first, second]: readonly unknown[] = Array.isArray(prices) ? prices : [];
  if (!isObject(first)) return succeeded({});
  const { company_currency: home = first['currency'] } = connection.extra;
  const isFit = second === undefined && first['currency'] === home;
  if (!isFit) return wrong('prices', `HubSpot has one price of a product, in ${textIn(home)}.`);
  const cost = first['cost'] ?? first['direct_cost'];
  return succeeded({ price: textIn(first['price']), hs_cost_of_goods_sold: cost === undefined ? null : textIn(cost) });
}

const fileSchema = z
  .object({ id: z.string(), name: text, extension: text, size: z.number().nullish(), createdAt: text, updatedAt: text })
  .transform(({ id, name, extension, size, createdAt, updatedAt }) => ({
    id: Number(id),
    name: filled([name, extension]).join('.'),
    file_size: size,
    add_time: createdAt,
    update_time: updatedAt,
  }));

/** Lists the files of the account. */
export async function listFiles({ send }: Call, { limit, cursor, sort }: Members): Promise<Outcome> {
  const sorted = sortOf({ id: 'id', update_time: 'updatedAt' }, { sort }) ?? 'id';
  const after = typeof cursor === 'string' ? { after: cursor } : {};
  const files = await send('files', { limit: Number(limit), sort: sorted, ...after });
  return parsed(files, z.array(fileSchema));
}

const uploading = { folderPath: '/Portolan', options: JSON.stringify({ access: 'PRIVATE' }) };

/** Uploads a file, and attaches it by a note: HubSpot attaches files to records in no other way. */
export async function uploadFile(call: Call, input: Members): Promise<Outcome> {
  const { file, product_id, activity_id, ...belonging } = input;
  const refused = Object.entries({ product_id, activity_id }).filter(([, id]) => id !== undefined);
  if (refused.length > 0) return refusedInput(refused.map(([name]) => noPlace(name)));
  const made = await call.send('upload', { file: fileInput.parse(file), ...uploading });
  const uploaded = parsed(made, fileSchema);
  if (!uploaded.ok) return uploaded;
  const outcome = { ...uploaded, data: { ...uploaded.data, ...belonging } };
  if (Object.values(belonging).every((one) => one === undefined)) return outcome;
  const texts = { hs_attachment_ids: String(uploaded.data.id), hs_timestamp: new Date().toISOString() };
  const note = await createOne(call, noteKind, belonging, texts);
  return withWarnings(outcome, note.ok ? [] : [`The file was uploaded, and not attached. ${note.message}`]);
}

/** Deletes a file. */
export async function deleteFile({ send }: Call, { id }: Members): Promise<Outcome> {
  const outcome = await send('deleteFile', { id: String(id) });
  return outcome.ok ? succeeded({ id }) : outcome;
}
