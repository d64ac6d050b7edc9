/** A value that a field is compared with. */
export type Scalar = string | number | boolean;

/**
 * One comparison: `value` is a list for `in` and `between`, null for "empty", and absent where the operator needs none.
 */
export type Comparison<Operator extends string> = Readonly<{
  field: string;
  operator: Operator;
  value?: Scalar | readonly Scalar[] | null | undefined;
}>;

/** Comparisons joined by and (`all`) or or (`any`), nested to any depth. */
export type Condition<Operator extends string> =
  | Comparison<Operator>
  | Readonly<{ all: readonly Condition<Operator>[] }>
  | Readonly<{ any: readonly Condition<Operator>[] }>;

/** The number of comparisons in a condition. */
export function comparisonsIn(condition: Condition<string>): number {
  if ('field' in condition) return 1;
  const members = 'all' in condition ? condition.all : condition.any;
  return members.reduce((sum, member) => sum + comparisonsIn(member), 0);
}
