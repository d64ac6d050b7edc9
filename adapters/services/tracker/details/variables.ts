import type { z } from 'zod';

/** One variable of a document: its GraphQL type, and the schema of the input that fills it. */
export type Variable<Schema extends z.ZodType = z.ZodType> = Readonly<{ type: string; schema: Schema }>;

/** The variables of a document by name; each is an input of the row by the same name. */
export type Variables = Readonly<Record<string, Variable>>;

/** The inputs that fill the variables. */
export type SchemasOf<Given extends Variables> = { [Name in keyof Given]: Given[Name]['schema'] };

/** A variable of a GraphQL type, filled by an input of a schema. */
export const variable = <Schema extends z.ZodType>(type: string, schema: Schema): Variable<Schema> => ({
  type,
  schema,
});

/** The schemas of variables, as a row takes its inputs. */
export function schemasOf<Given extends Variables>(variables: Given): SchemasOf<Given>;
export function schemasOf(variables: Variables): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema]));
}

/** What a document is made of: its root field, its arguments, the fields of its `input` argument, and what is selected. */
export type DocumentOptions = Readonly<{
  kind: 'query' | 'mutation';
  root: string;
  args: Variables;
  input?: Variables;
  selection: string;
}>;

/**
 * A GraphQL document. The members of an `input` are variables of their own, so that inputs stay flat and their types are
 * checked against the schema too; one that is not given is left out of the input (GraphQL specification, Input Objects).
 */
export function documentOf({ kind, root, args, input, selection }: DocumentOptions): string {
  const declared = Object.entries({ ...args, ...input }).map(([name, { type }]) => `$${name}: ${type}`);
  const given = Object.keys(args).map((name) => `${name}: $${name}`);
  if (input !== undefined) given.push(`input: {${namesIn(input)}}`);
  const head = declared.length === 0 ? '' : `(${declared.join(', ')})`;
  const call = given.length === 0 ? root : `${root}(${given.join(', ')})`;
  return `${kind} ${root}${head} { ${call} ${selection.replaceAll(/\s+/g, ' ').trim()} }`;
}

function namesIn(input: Variables): string {
  return Object.keys(input)
    .map((name) => `${name}: $${name}`)
    .join(', ');
}
