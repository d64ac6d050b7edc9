import { z } from 'zod';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { Variables } from '#adapters/services/tracker/details/variables.ts';
import { type ChangeOptions, change } from '#adapters/services/tracker/operations/tables.ts';

const none = {};
type None = typeof none;
type RowOptions<Args extends Variables, Input extends Variables> = Omit<ChangeOptions<Args, Input>, 'route'>;

/** Builds a row that creates a record, posted to its collection. */
export function create<Input extends Variables>(
  root: string,
  path: string,
  parts: Omit<RowOptions<None, Input>, 'args'>,
) {
  return change<None, Input>(root, { effect: 'add', ...parts, args: none, route: { method: 'POST', path } });
}

/** Builds a row that updates a record with the given fields only; idempotent. */
export function update<Args extends Variables, Input extends Variables>(
  root: string,
  path: string,
  parts: RowOptions<Args, Input>,
) {
  return change(root, { ...parts, route: { method: 'PATCH', path }, isIdempotent: true });
}

/** Builds a row that acts on a record as a whole, such as restoring it; idempotent. */
export function act<Args extends Variables>(root: string, path: string, parts: Omit<RowOptions<Args, None>, 'input'>) {
  return change(root, { ...parts, input: none, route: { method: 'POST', path }, isIdempotent: true });
}

/** Builds a row that deletes a record; idempotent. */
export function remove<Args extends Variables>(
  root: string,
  path: string,
  parts: Omit<RowOptions<Args, None>, 'input'>,
) {
  const route = { method: 'DELETE', path } as const;
  return change(root, { ...parts, input: none, route, effect: 'lose', isIdempotent: true });
}

/**
 * Sends an issue that is blocked by another as the other one, which blocks it: trackers have one of the two only. Applied
 * to the whole input, because the two issues change places.
 */
export function linking<Input extends z.ZodObject>(row: RequestRow<Input>): RequestRow<Input> {
  const input = row.input.check(({ value }) => {
    const { type, issueId, relatedIssueId } = z.looseObject({ type: z.unknown() }).parse(value);
    if (type === 'blocked_by')
      Object.assign(value, { type: 'blocks', issueId: relatedIssueId, relatedIssueId: issueId });
  });
  return { ...row, input };
}
