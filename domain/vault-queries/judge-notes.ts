import { isTooDeep } from '#domain/json/json-data.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { applyRule, type RuleTools, type TestExpression } from '#domain/vault-queries/json-logic.ts';
import { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** A note to evaluate a rule over: its note JSON. */
export type JudgedNote = Readonly<{ path: string; data: unknown }>;

/** A note for which the query yielded a truthy result. */
export type QueryHit = Readonly<{ filename: string; result: unknown }>;

/**
 * Evaluates the rule over notes and returns those with a truthy result: not false, null, 0, or an empty text, list or
 * object. The failure says what was wrong with the rule, and at which note. Regular expressions are V8's, which may
 * backtrack without end: run those only in a thread with a deadline.
 */
export function judgeNotes({
  rule,
  notes,
}: Readonly<{ rule: unknown; notes: readonly JudgedNote[] }>): Result<readonly QueryHit[], string> {
  const tools: RuleTools = { budget: new WorkBudget(), testExpression: expressions() };
  const hits: QueryHit[] = [];
  for (const { path, data } of notes) {
    tools.budget.renew();
    try {
      const result = applyRule(rule, data, tools);
      if (isTooDeep(result)) return err(`The query gives something too deep (while processing ${path})`);
      if (isSomething(result)) hits.push({ filename: path, result });
    } catch (error) {
      const message =
        error instanceof RangeError ? 'The query gives something too large or too deep' : messageOf(error);
      return err(`${message} (while processing ${path})`);
    }
  }
  return ok(hits);
}

function isSomething(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value);
}

function expressions(): TestExpression {
  const known = new Map<string, RegExp>();
  return (source, text) => {
    const expression = known.get(source) ?? new RegExp(source);
    if (known.size < 100) known.set(source, expression);
    return expression.test(text);
  };
}
