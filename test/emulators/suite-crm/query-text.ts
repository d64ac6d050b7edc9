/** One comparison as the emulated provider reads it. */
export type Compared = Readonly<{ field: string; sign: string; values: readonly string[] }>;

/** A condition as the emulated provider reads it. */
export type Tree = Compared | Readonly<{ word: 'and' | 'or'; members: readonly Tree[] }>;

/** A record of the emulated provider. */
export type Stored = Readonly<Record<string, unknown>>;

/** Text that is no query. */
export class NotAQuery extends Error {}

/** A field's value, through lookups: `Account_Name.Industry` is read by `related`. */
export type ReadField = (record: Stored, field: string) => unknown;

/** Whether a record meets a condition. */
export function meets(record: Stored, tree: Tree, read: ReadField): boolean {
  if ('members' in tree) {
    return tree.word === 'and'
      ? tree.members.every((member) => meets(record, member, read))
      : tree.members.some((member) => meets(record, member, read));
  }
  return compares(read(record, tree.field), tree);
}

function compares(found: unknown, { sign, values }: Compared): boolean {
  const text = plain(found);
  const [first = '', second = ''] = values;
  const at = (value: string) => order(text, value);
  switch (sign) {
    case 'equals':
    case '=':
      return values.some((value) => same(text, value));
    case 'not_equal':
    case '!=':
      return !values.some((value) => same(text, value));
    case 'in':
      return values.some((value) => same(text, value));
    case 'not in':
      return !values.some((value) => same(text, value));
    case 'starts_with':
      return text.toLowerCase().startsWith(first.toLowerCase());
    case 'like':
      return like(text, first);
    case 'not like':
      return !like(text, first);
    case 'is null':
      return text === '';
    case 'is not null':
      return text !== '';
    case 'between':
      return text !== '' && at(first) >= 0 && at(second) <= 0;
    case 'not between':
      return !(at(first) >= 0 && at(second) <= 0);
    case 'greater_than':
    case '>':
      return text !== '' && at(first) > 0;
    case 'greater_equal':
    case '>=':
      return text !== '' && at(first) >= 0;
    case 'less_than':
    case '<':
      return text !== '' && at(first) < 0;
    case 'less_equal':
    case '<=':
      return text !== '' && at(first) <= 0;
    default:
      throw new NotAQuery(`unknown comparator ${sign}`);
  }
}

/** A field's value as text: a lookup is its name or id, nothing is the empty text. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object' && 'id' in value) return String(value.id);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();

function order(left: string, right: string): number {
  const numbers = [Number(left), Number(right)] as const;
  if (left !== '' && right !== '' && !numbers.some(Number.isNaN)) return numbers[0] - numbers[1];
  return left < right ? -1 : Number(left > right);
}

function like(text: string, pattern: string): boolean {
  const body = pattern.replaceAll('%', '').toLowerCase();
  const whole = text.toLowerCase();
  if (pattern.startsWith('%') && pattern.endsWith('%')) return whole.includes(body);
  if (pattern.startsWith('%')) return whole.endsWith(body);
  return pattern.endsWith('%') ? whole.startsWith(body) : whole === body;
}
