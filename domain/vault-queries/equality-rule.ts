/** Requires a frontmatter key to have a value. */
export type Equality = Readonly<{ key: string; value: string | number | boolean }>;

/**
 * The equalities at least one of which holds for every note that a JsonLogic rule matches, as in `{"==": [{"var":
 * "frontmatter.id"}, 7]}` or an `or` of such; null when the rule has another form. The index then narrows the notes to
 * search.
 */
export function equalitiesOf(rule: unknown): readonly Equality[] | null {
  const step = stepOf(rule);
  if (step === null) return null;
  const [name, parameters] = step;
  switch (name) {
    case '==':
    case '===': {
      const equality = equalityOf(parameters);
      return equality === null ? null : [equality];
    }
    case 'or': {
      const parts = parameters.map(equalitiesOf);
      return parts.length === 0 || parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
    }
    case 'and':
      // `and` short-circuits: the rest is not evaluated when the first operand is false.
      return parameters.length === 0 ? null : equalitiesOf(parameters[0]);
    default:
      return null;
  }
}

function equalityOf(parameters: readonly unknown[]): Equality | null {
  const [first, second] = parameters;
  const [key, value] = keyOf(first) === null ? [keyOf(second), first] : [keyOf(first), second];
  return key === null || !isScalar(value) ? null : { key, value };
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/**
 * The key that `{"var": "frontmatter.key"}` names; null for anything else, a deeper path, or a variable with a default.
 */
function keyOf(part: unknown): string | null {
  const step = stepOf(part);
  if (step === null || step[0] !== 'var' || step[1].length !== 1) return null;
  const [, key = null] = /^frontmatter\.([^.]+)$/.exec(String(step[1][0])) ?? [];
  return key;
}

function stepOf(rule: unknown): readonly [string, readonly unknown[]] | null {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return null;
  const [entry, ...others] = Object.entries(rule);
  if (entry === undefined || others.length > 0) return null;
  const [name, parameters]: [string, unknown] = entry;
  return [name, Array.isArray(parameters) ? parameters : [parameters]];
}
