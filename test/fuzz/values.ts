import * as fc from 'fast-check';

/** Values that programs are known to stumble over. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfff',
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    '..%2f..%2fetc',
    "' or 1=1 --",
    '{{7*7}}',
    '<script>',
    '%',
    '%zz',
    '\u202e',
    '🙂',
    '-1',
    'NaN',
    '9'.repeat(400),
    'x'.repeat(20_000),
    '*a '.repeat(3_000),
    '['.repeat(5_000),
    -1,
    0,
    1.5,
    2 ** 53,
    -(2 ** 63),
    1e308,
    null,
    true,
    [],
    {},
    [[]],
    JSON.parse('{"__proto__":{"a":1}}'),
    { constructor: { prototype: {} } },
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Small words that are likely to be of something that is there. */
const plausible = fc.constantFrom(
  '1',
  '2',
  'a',
  'Acme',
  'ENG-1',
  'ENG',
  'Leads',
  'Contacts',
  'A.md',
  'Notes/B.md',
  'tpl-offer',
  'daily',
);

type Schema = Readonly<Record<string, unknown>>;
type Definitions = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const maxDepth = 5;
const hostileWeight = 1;
const fittingWeight = 12;

/** Values of a JSON Schema for the most part, and others. `definitions` are what `#/components/schemas/` refers to. */
export function valuesOf(schema: unknown, definitions: Definitions = {}, depth = 0): fc.Arbitrary<unknown> {
  if (!isSchema(schema) || depth > maxDepth) return hostile;
  return fc.oneof(
    { arbitrary: fitting(schema, definitions, depth), weight: fittingWeight },
    { arbitrary: hostile, weight: hostileWeight },
  );
}

function fitting(schema: Schema, definitions: Definitions, depth: number): fc.Arbitrary<unknown> {
  const { $ref, enum: listed, const: only, anyOf, oneOf, allOf, type } = schema;
  const below = (of: unknown) => valuesOf(of, definitions, depth + 1);
  if (typeof $ref === 'string') return valuesOf(definitions[$ref.split('/').at(-1) ?? ''], definitions, depth + 1);
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(listed) && listed.length > 0) return fc.constantFrom<unknown>(...listed);
  const choices: unknown = anyOf ?? oneOf ?? allOf;
  if (Array.isArray(choices) && choices.length > 0) return fc.oneof(...choices.map(below));
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return objects(schema, below);
    case 'array':
      return fc.array(below(schema['items'] ?? {}), { maxLength: 4 });
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer());
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double());
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return fc.oneof(plausible, fc.string({ maxLength: 30 }), dates(schema));
    default:
      return fc.oneof(plausible, fc.jsonValue({ maxDepth: 3 }));
  }
}

function dates({ format }: Schema): fc.Arbitrary<string> {
  const at = fc.date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2099-12-31') });
  return at.map((date) => (format === 'date' ? date.toISOString().slice(0, 10) : date.toISOString()));
}

/** Objects with the members that are required, most of the time, some of the others, and now and then one that is not known. */
function objects(schema: Schema, below: (of: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const requiredKeys = Object.keys(properties).filter((name) => required.includes(name));
  const members = Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, below(of)]));
  const record = fc.record(members, { requiredKeys });
  const unknown = fc
    .tuple(record, fc.string({ maxLength: 8 }), hostile)
    .map(([known, name, value]) => ({ ...known, [name]: value }));
  return fc.oneof({ arbitrary: record, weight: 15 }, { arbitrary: unknown, weight: 1 });
}
