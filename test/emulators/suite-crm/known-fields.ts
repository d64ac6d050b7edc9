import { own } from '#domain/shared/own.ts';
import type { ReadQuery } from '#test/emulators/suite-crm/coql-text.ts';
import type { Tree } from '#test/emulators/suite-crm/query-text.ts';
import { schema } from '#test/emulators/suite-crm/schema.ts';
import type { CrmState } from '#test/emulators/suite-crm/state.ts';

/** What every module has besides its own fields. */
const everywhere =
  'id Owner Tag Description Full_Name Layout Currency Created_By Created_Time Modified_By Modified_Time Last_Activity_Time'.split(
    ' ',
  );

/** The first of these fields that a module has not: neither in its settings nor in any of its records; null when it has all. */
export function unknownField(state: CrmState, module: string, fields: readonly string[]): string | null {
  return fields.find((path) => !isKnown(state, module, path)) ?? null;
}

function isKnown(state: CrmState, module: string, path: string): boolean {
  const [name = '', further] = path.split('.', 2);
  const field = own(schema, module)?.find(({ api_name }) => api_name === name);
  const to = field?.lookup;
  if (further !== undefined && to !== undefined) return isKnown(state, to, further);
  return (
    field !== undefined || everywhere.includes(name) || state.all(module).some((record) => Object.hasOwn(record, name))
  );
}

/** The fields that criteria compare. */
export function fieldsIn(tree: Tree): readonly string[] {
  return 'members' in tree ? tree.members.flatMap(fieldsIn) : [tree.field];
}

/** The fields that a query names anywhere. */
export function fieldsOf({ select, where, groupBy, orderBy }: ReadQuery): readonly string[] {
  return [...select.map(({ field }) => field), ...fieldsIn(where), ...groupBy, ...orderBy.map(({ field }) => field)];
}
