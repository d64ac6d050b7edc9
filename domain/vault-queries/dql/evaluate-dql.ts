import type { DqlPlace } from '#domain/vault-queries/dql/dql-cursor.ts';
import { DqlError, type DqlScope, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import type { Expression } from '#domain/vault-queries/dql/dql-tree.ts';
import { isTrue, type Lambda } from '#domain/vault-queries/dql/dql-values.ts';
import { durationIn } from '#domain/vault-queries/dql/duration.ts';
import { callFunction } from '#domain/vault-queries/dql/functions/dql-functions.ts';
import { memberOf } from '#domain/vault-queries/dql/members.ts';
import { momentIn, namedMoment } from '#domain/vault-queries/dql/moment.ts';
import { operate } from '#domain/vault-queries/dql/operators.ts';

/** Evaluates an expression in a scope; null for a missing value. Each step is charged to the budget. */
export function evaluate(expression: Expression, scope: DqlScope): unknown {
  scope.budget.take(10);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'variable':
      return variableOf(expression.name, scope);
    case 'link':
      return scope.vault.link(expression.inner).with({ embed: expression.embed });
    case 'list':
      return expression.items.map((item) => evaluate(item, scope));
    case 'object':
      return Object.fromEntries(expression.fields.map(({ name, value }) => [name, evaluate(value, scope)]));
    case 'not':
      return !isTrue(evaluate(expression.value, scope));
    case 'negative':
      return operate('*', evaluate(expression.value, scope), -1, scope.budget);
    case 'date':
      return namedMoment(expression.text, scope.now) ?? momentIn(expression.text);
    case 'duration':
      return durationIn(expression.text);
    case 'lambda':
      return lambdaOf(expression, scope);
    case 'member': {
      const [of, name] = [evaluate(expression.of, scope), evaluate(expression.name, scope)];
      return placed(expression.at, () => memberOf(of, name, scope));
    }
    case 'call': {
      const values = expression.parameters.map((parameter) => evaluate(parameter, scope));
      return placed(expression.at, () => callFunction(expression.name, values, scope));
    }
    case 'binary':
      return binary(expression, scope);
  }
}

/** Says where in the query something fails, unless that is said. */
function placed<Value>({ line, column }: DqlPlace, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    const isOurs = error instanceof DqlError || error instanceof RowError;
    if (isOurs && !error.message.includes(' (line ')) {
      error.message = `${error.message.replace(/\.$/, '')} (line ${line}, column ${column}).`;
    }
    throw error;
  }
}

function variableOf(name: string, { fields }: DqlScope): unknown {
  return fields.get(name) ?? (name === 'row' ? fields : null);
}

function binary({ operator, left, right, at }: Extract<Expression, { kind: 'binary' }>, scope: DqlScope): unknown {
  const first = evaluate(left, scope);
  if (operator === '&' && !isTrue(first)) return false;
  if (operator === '|' && isTrue(first)) return true;
  const second = evaluate(right, scope);
  return placed(at, () => operate(operator, first, second, scope.budget));
}

function lambdaOf({ names, body }: Extract<Expression, { kind: 'lambda' }>, scope: DqlScope): Lambda {
  return (...values) => {
    const given = new Map(names.map((name, index) => [name, values[index] ?? null]));
    return evaluate(body, { ...scope, fields: scope.fields.with(given) });
  };
}
