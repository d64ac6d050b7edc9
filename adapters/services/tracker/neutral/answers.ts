import { z } from 'zod';
import type { GoodAnswer } from '#adapters/services/definitions/dialect.ts';
import { answerOf, textOf } from '#adapters/services/tracker/neutral/errors.ts';
import { wholeData } from '#adapters/services/tracker/operations/names-row.ts';
import { isObject, withChangedMembers } from '#domain/json/json-data.ts';
import { failed, type Outcome, type Pagination } from '#domain/operations/outcome.ts';

const place = z
  .object({
    hasNextPage: z.boolean().optional(),
    hasPreviousPage: z.boolean().optional(),
    startCursor: z.string().nullish(),
    endCursor: z.string().nullish(),
  })
  .optional();

type Connection = Readonly<{ nodes: readonly unknown[]; pageInfo: z.output<typeof place> }>;

/** A list of the tracker with its page; null for anything else, most of which needs no schema. */
function connectionOf(value: unknown): Connection | null {
  if (!isObject(value) || !Array.isArray(value['nodes'])) return null;
  const nodes: readonly unknown[] = value['nodes'];
  const { success, data: pageInfo } = place.safeParse(value['pageInfo']);
  return success ? { nodes, pageInfo } : null;
}

/**
 * Converts a successful answer to an outcome: a list with its page, a record, or the object that a mutation changed.
 * Lists inside records become arrays; a warning says where one was cut short. Errors beside data become warnings
 * (TRACK-005).
 */
export function readSuccess({ row, inputs, body }: GoodAnswer): Outcome {
  const answer = answerOf(body);
  const root = row.options.graphql?.root ?? wholeData;
  const value = root === wholeData ? answer?.data : answer?.data?.[root];
  if (answer === null || value === null || value === undefined) {
    return failed('unavailable', 'The tracker answered with something that is not a GraphQL answer.');
  }
  const cuts = new Set<string>();
  const partial = answer.errors.map((error) => `Not all of it came: ${textOf(error)}`);
  const read = row.options.page === 'relay' ? listOf(value, inputs, cuts) : { data: plain(affected(value), '', cuts) };
  if (read === null) return failed('unavailable', 'The tracker answered with something that is not a list.');
  const warnings = [...partial, ...cuts];
  return { ok: true, ...read, ...(warnings.length === 0 ? {} : { warnings }) };
}

function listOf(value: unknown, inputs: GoodAnswer['inputs'], cuts: Set<string>) {
  const direct = connectionOf(value);
  const inside = isObject(value) ? Object.values(value).map(connectionOf) : [];
  const found = direct ?? inside.find((candidate) => candidate !== null) ?? null;
  if (found === null) return null;
  const isBackwards = inputs['last'] !== undefined;
  return { data: found.nodes.map((node) => plain(node, '', cuts)), pagination: paginationOf(found, isBackwards) };
}

function paginationOf({ pageInfo }: Connection, isBackwards: boolean): Pagination {
  const hasMore = (isBackwards ? pageInfo?.hasPreviousPage : pageInfo?.hasNextPage) ?? false;
  const cursor = (isBackwards ? pageInfo?.startCursor : pageInfo?.endCursor) ?? null;
  return { next: hasMore ? cursor : null, hasMore };
}

/**
 * The object that a mutation changed: `entity` of an archive mutation, the record under its own name, or `entityId` of
 * a deletion wrapped in an object.
 */
function affected(value: unknown): unknown {
  if (!isObject(value) || typeof value['success'] !== 'boolean') return value;
  const { success: _, ...rest } = value;
  const [only, ...others] = Object.entries(rest);
  return only === undefined || others.length > 0 || only[0] === 'entityId' ? rest : only[1];
}

function plain(value: unknown, path: string, cuts: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, path, cuts));
  const inner = connectionOf(value);
  if (inner !== null) {
    if (inner.pageInfo?.hasNextPage === true) {
      cuts.add(`\`${path}\` shows the first ${inner.nodes.length} only; there are more.`);
    }
    return inner.nodes.map((node) => plain(node, path, cuts));
  }
  if (!isObject(value)) return value;
  return withChangedMembers(value, (member, name) => plain(member, path === '' ? name : `${path}.${name}`, cuts));
}
