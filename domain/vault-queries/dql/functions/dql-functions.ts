import { own } from '#domain/shared/own.ts';
import { type DqlScope, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import { constructorFunctions } from '#domain/vault-queries/dql/functions/constructors.ts';
import { listFunctions } from '#domain/vault-queries/dql/functions/lists.ts';
import { numberFunctions } from '#domain/vault-queries/dql/functions/numbers.ts';
import { compute, type DqlFunction } from '#domain/vault-queries/dql/functions/overloads.ts';
import { textFunctions } from '#domain/vault-queries/dql/functions/texts.ts';
import { utilityFunctions } from '#domain/vault-queries/dql/functions/utilities.ts';

/** The functions of the language, by name. */
export const dqlFunctions: Readonly<Record<string, DqlFunction>> = {
  ...constructorFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...textFunctions,
  ...utilityFunctions,
};

/** Calls a function that is known by this name. */
export function callFunction(name: string, values: readonly unknown[], scope: DqlScope): unknown {
  const called = own(dqlFunctions, name);
  if (called === undefined) throw new RowError(`${name}() is not known.`);
  return compute(name, called, values, scope);
}
