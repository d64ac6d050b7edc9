import type { Variables } from '#adapters/services/tracker/details/variables.ts';
import { type ChangeOptions, change } from '#adapters/services/tracker/operations/tables.ts';

const none = {};
type None = typeof none;
type RowOptions<Args extends Variables, Input extends Variables> = Omit<ChangeOptions<Args, Input>, 'route' | 'effect'>;

/** A row that makes a record, posted to its collection. */
export function create<Input extends Variables>(
  root: string,
  path: string,
  parts: Omit<RowOptions<None, Input>, 'args'>,
) {
  return change<None, Input>(root, { ...parts, args: none, route: { method: 'POST', path } });
}

/** A row that changes a record: only what is given, so that the same twice is as once. */
export function update<Args extends Variables, Input extends Variables>(
  root: string,
  path: string,
  parts: RowOptions<Args, Input>,
) {
  return change(root, { ...parts, route: { method: 'PATCH', path }, isIdempotent: true });
}

/** A row that does something with a record as it is, such as archiving; the same twice is as once. */
export function act<Args extends Variables>(root: string, path: string, parts: Omit<RowOptions<Args, None>, 'input'>) {
  return change(root, { ...parts, input: none, route: { method: 'POST', path }, isIdempotent: true });
}

/** A row that deletes a record; the same twice is as once. */
export function remove<Args extends Variables>(
  root: string,
  path: string,
  parts: Omit<RowOptions<Args, None>, 'input'>,
) {
  const route = { method: 'DELETE', path } as const;
  return change(root, { ...parts, input: none, route, effect: 'destroy', isIdempotent: true });
}
