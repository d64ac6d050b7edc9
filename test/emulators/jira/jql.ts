/** An issue as a query sees it: the values of its fields, by the names that JQL has for them. */
export type QueriedIssue = Readonly<Record<string, readonly string[]>>;

/** A query that Jira would refuse. */
export class JqlError extends Error {}

type Test = (issue: QueriedIssue) => boolean;

const token = /\s*("(?:\\.|[^"\\])*"|!~|!=|<=|>=|[()=<>~,]|[\w[\]]+)/y;

/** The fields of a query, of which each has values; others do not exist. */
const fields = [
  'project',
  'issuetype',
  'status',
  'assignee',
  'creator',
  'labels',
  'priority',
  'parent',
  'sprint',
  'issuekey',
  'summary',
  'description',
  'created',
  'updated',
  'resolutiondate',
  'duedate',
  'cf[10016]',
  'cf[10026]',
];

/** Parses a query of the part of JQL that the emulator knows; throws for another, or one without a restriction. */
export function parseJql(text: string): Readonly<{ test: Test; orderBy: string }> {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < text.trimEnd().length; at = token.lastIndex) {
    const found = token.exec(text);
    if (found?.[1] === undefined) throw new JqlError(`Error in the JQL Query: The character at ${at} is not expected.`);
    tokens.push(found[1]);
  }
  const parser = new Parser(tokens);
  if (parser.peek() === 'ORDER')
    throw new JqlError('Unbounded JQL queries are not allowed here. Please add a search restriction to your query.');
  const test = parser.either();
  return { test, orderBy: parser.order() };
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#at]?.toUpperCase();
  }

  either(): Test {
    const tests = [this.#all()];
    while (this.#take('OR')) tests.push(this.#all());
    return (issue) => tests.some((test) => test(issue));
  }

  order(): string {
    if (this.peek() === undefined) return 'created';
    this.#expect('ORDER');
    this.#expect('BY');
    const field = this.#next();
    this.#expect('DESC');
    if (this.peek() !== undefined)
      throw new JqlError(`Error in the JQL Query: Expecting the end and got '${this.peek()}'.`);
    return field;
  }

  #all(): Test {
    const tests = [this.#one()];
    while (this.#take('AND')) tests.push(this.#one());
    return (issue) => tests.every((test) => test(issue));
  }

  #one(): Test {
    if (this.#take('(')) {
      const test = this.either();
      this.#expect(')');
      return test;
    }
    const field = this.#next();
    if (!fields.includes(field))
      throw new JqlError(`Field '${field}' does not exist or you do not have permission to view it.`);
    const valuesOf = (issue: QueriedIssue) => issue[field] ?? [];
    if (this.#take('IS')) {
      const isNot = this.#take('NOT');
      this.#expect('EMPTY');
      return (issue) => (valuesOf(issue).length === 0) !== isNot;
    }
    const isNot = this.#take('NOT');
    if (isNot || this.peek() === 'IN') {
      this.#expect('IN');
      this.#expect('(');
      const values = [this.#value()];
      while (this.#take(',')) values.push(this.#value());
      this.#expect(')');
      return (issue) => valuesOf(issue).some((value) => values.some((wanted) => same(value, wanted))) !== isNot;
    }
    const sign = this.#next();
    const wanted = this.#value();
    return (issue) => compare(valuesOf(issue), sign, wanted);
  }

  #value(): string {
    const value = this.#next();
    if (/^-?\d+$/.test(value)) return value;
    if (!value.startsWith('"')) throw new JqlError(`Error in the JQL Query: Expecting a value and got '${value}'.`);
    return value.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  }

  #next(): string {
    const found = this.#tokens[this.#at];
    if (found === undefined) throw new JqlError('Error in the JQL Query: Unexpected end.');
    this.#at += 1;
    return found;
  }

  #take(word: string): boolean {
    const isIt = this.peek() === word;
    if (isIt) this.#at += 1;
    return isIt;
  }

  #expect(word: string): void {
    if (!this.#take(word))
      throw new JqlError(`Error in the JQL Query: Expecting '${word}' and got '${this.peek() ?? 'the end'}'.`);
  }
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function compare(values: readonly string[], sign: string, wanted: string): boolean {
  if (sign === '~' || sign === '!~') {
    const phrase = wanted.replace(/^"|"$/g, '').toLowerCase();
    return values.some((value) => value.toLowerCase().includes(phrase)) === (sign === '~');
  }
  if (sign === '!=') return values.length > 0 && !values.some((value) => same(value, wanted));
  const order = (value: string) => numberOf(value) - numberOf(wanted);
  const signs: Readonly<Record<string, (value: string) => boolean>> = {
    '=': (value) => same(value, wanted),
    '<': (value) => order(value) < 0,
    '<=': (value) => order(value) <= 0,
    '>': (value) => order(value) > 0,
    '>=': (value) => order(value) >= 0,
  };
  const test = signs[sign];
  if (test === undefined) throw new JqlError(`Error in the JQL Query: The operator '${sign}' is not supported.`);
  return values.some(test);
}

const numberOf = (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Date.parse(text));
