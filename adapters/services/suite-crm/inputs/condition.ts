/** A value that a field is compared with. */
export type Scalar = string | number | boolean;

/** One comparison: `value` is a list for `in` and `between`, null for "empty", and left out where the operator needs none. */
export type Comparison<Operator extends string> = Readonly<{
  field: string;
  operator: Operator;
  value?: Scalar | readonly Scalar[] | null | undefined;
}>;

/** Comparisons joined by and (`all`) or by or (`any`), to any depth. */
export type Condition<Operator extends string> =
  | Comparison<Operator>
  | Readonly<{ all: readonly Condition<Operator>[] }>
  | Readonly<{ any: readonly Condition<Operator>[] }>;

/** How many comparisons a condition has. */
export function comparisonsIn(condition: Condition<string>): number {
  if ('field' in condition) return 1;
  const members = 'all' in condition ? condition.all : condition.any;
  return members.reduce((sum, member) => sum + comparisonsIn(member), 0);
}
