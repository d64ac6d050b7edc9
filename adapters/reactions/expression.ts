import { type ASTNode, Environment, type ParseResult } from '@marcbachmann/cel-js';
import { messageOf } from '#domain/shared/error-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** A compiled expression. */
type CompiledExpression = Readonly<{
  /** The names that it reads. */
  names: readonly string[];
  /** Evaluates it; an error is returned as text. When a member that it reads is missing, the condition is false. */
  evaluate(data: Readonly<Record<string, unknown>>): Result<boolean, string>;
}>;

const maxExpression = 1_000;
/** The functions an expression may call; none accesses anything but its arguments. */
const functions = new Set(
  `size contains startsWith endsWith lowerAscii upperAscii trim int double string bool has in matches timestamp duration
  getFullYear getMonth getDayOfMonth getDate getDayOfWeek getHours getMinutes exists all exists_one map filter`.split(
    /\s+/,
  ),
);
/** The calls that iterate over a list; their first argument names an item. */
const iterations = new Set(['exists', 'all', 'exists_one', 'map', 'filter']);

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 200, maxDepth: 24, maxListElements: 50, maxMapEntries: 20, maxCallArguments: 8 },
});
// JSON numbers are doubles, while people write integer literals beside them.
const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};
for (const [sign, work] of Object.entries(arithmetic)) {
  environment.registerOperator(`double ${sign} int`, (left: number, right: bigint) => work(left, Number(right)));
  environment.registerOperator(`int ${sign} double`, (left: bigint, right: number) => work(Number(left), right));
}

/** Compiles a CEL expression, in which the words `and`, `or` and `not` may replace the operators. */
export function compileExpression(text: string): Result<CompiledExpression, string> {
  if (text.trim() === '') return err('The expression is empty.');
  if (text.length > maxExpression) return err(`An expression may have ${maxExpression} characters at most.`);
  try {
    const parsed = environment.parse(withSigns(text));
    const seen = { names: new Set<string>(), calls: new Set<string>() };
    walk(parsed.ast, new Set(), seen);
    const unknown = [...seen.calls].find((name) => !functions.has(name));
    if (unknown !== undefined) return err(`There is no function \`${unknown}\` in expressions.`);
    return ok({ names: [...seen.names], evaluate: (data) => evaluated(parsed, data) });
  } catch (error) {
    return err(`The expression does not parse: ${firstLine(error)}`);
  }
}

function evaluated(parsed: ParseResult, data: Readonly<Record<string, unknown>>): Result<boolean, string> {
  try {
    const value: unknown = parsed({ ...data });
    return typeof value === 'boolean' ? ok(value) : err('`if` must be true or false, and is another value.');
  } catch (error) {
    const message = firstLine(error);
    return message.startsWith('No such key') ? ok(false) : err(`\`if\` cannot be evaluated: ${message}`);
  }
}

const quotedOrWord = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w.])(?:and|or|not)(?!\w)/g;
const signs: Readonly<Record<string, string>> = { and: '&& ', or: '||', not: '!  ' };

/** Replaces the words by operators padded to the same length, so that positions in errors remain correct. */
function withSigns(text: string): string {
  return text.replace(quotedOrWord, (found) => (Object.hasOwn(signs, found) ? (signs[found] ?? found) : found));
}

type Seen = Readonly<{ names: Set<string>; calls: Set<string> }>;

function walk(node: ASTNode, bound: ReadonlySet<string>, seen: Seen): void {
  if (node.op === 'value') return;
  if (node.op === 'id') {
    if (!bound.has(node.args)) seen.names.add(node.args);
  } else if (node.op === 'rcall') walkCall(node.args, bound, seen);
  else if (node.op === 'call') {
    seen.calls.add(node.args[0]);
    walkAll(node.args[1], bound, seen);
  } else walkAll(Array.isArray(node.args) ? node.args.flat() : [node.args], bound, seen);
}

/** Walks the parts that are nodes; the others are member names. */
function walkAll(parts: readonly (ASTNode | string)[], bound: ReadonlySet<string>, seen: Seen): void {
  for (const part of parts) if (typeof part !== 'string') walk(part, bound, seen);
}

/** Walks a method call; in iterating ones the first argument binds the name of an item. */
function walkCall(
  [name, on, args]: readonly [string, ASTNode, readonly ASTNode[]],
  bound: ReadonlySet<string>,
  seen: Seen,
) {
  seen.calls.add(name);
  walk(on, bound, seen);
  const [item] = args;
  const inner = iterations.has(name) && item?.op === 'id' ? new Set([...bound, item.args]) : bound;
  for (const argument of args) walk(argument, inner, seen);
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
