import type { z } from 'zod';

/** A variable of a document: its GraphQL type, and the schema of the input that fills it. */
export type Variable<Schema extends z.ZodType = z.ZodType> = Readonly<{ type: string; schema: Schema }>;

/** The variables of a document by name; each is an input of the row with the same name. */
export type Variables = Readonly<Record<string, Variable>>;

/** The schemas of the inputs that fill the variables. */
export type SchemasOf<Given extends Variables> = { [Name in keyof Given]: Given[Name]['schema'] };

/** Builds a variable of a GraphQL type, filled by an input with this schema. */
export const variable = <Schema extends z.ZodType>(type: string, schema: Schema): Variable<Schema> => ({
  type,
  schema,
});

/** The schemas of variables, as a row's inputs. */
export function schemasOf<Given extends Variables>(variables: Given): SchemasOf<Given>;
export function schemasOf(variables: Variables): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema]));
}

/** The parts of a document: its root field, arguments, the fields of its `input` argument, and the selection. */
export type DocumentOptions = Readonly<{
  kind: 'query' | 'mutation';
  root: string;
  args: Variables;
  input?: Variables;
  selection: string;
}>;

/**
 * Builds a GraphQL document. The members of an `input` are separate variables, so that inputs stay flat and their types
 * are checked against the schema too; one that is not given is omitted from the input (GraphQL specification, Input
 * Objects).
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
