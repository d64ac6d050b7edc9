import type { DqlPlace } from '#domain/vault-queries/dql/dql-cursor.ts';

/** An expression with its name: of a column, of what rows are grouped by, of what they are flattened by. */
export type NamedExpression = Readonly<{ name: string; value: Expression }>;

/** A query of the Dataview query language, as it is parsed; the clauses are run in their order. */
export type Query = Readonly<{
  form: 'TABLE' | 'LIST' | 'TASK' | 'CALENDAR';
  fields: readonly NamedExpression[];
  source: Source | null;
  clauses: readonly Clause[];
}>;

/** A clause after the source, in any order and number. */
export type Clause =
  | Readonly<{ kind: 'where'; value: Expression }>
  | Readonly<{ kind: 'sort'; keys: readonly Readonly<{ value: Expression; isDescending: boolean }>[] }>
  | Readonly<{ kind: 'limit'; count: Expression }>
  | Readonly<{ kind: 'group'; by: NamedExpression }>
  | Readonly<{ kind: 'flatten'; by: NamedExpression }>;

/** The source of a query: which notes it reads. */
export type Source =
  | Readonly<{ kind: 'and' | 'or'; left: Source; right: Source }>
  | Readonly<{ kind: 'not'; source: Source }>
  | Readonly<{ kind: 'tag'; name: string }>
  | Readonly<{ kind: 'folder' | 'outgoing' | 'incoming'; path: string }>;

/** An expression that is evaluated for a row. */
export type Expression =
  | Readonly<{ kind: 'binary'; operator: Operator; left: Expression; right: Expression; at: DqlPlace }>
  | Readonly<{ kind: 'not' | 'negative'; value: Expression }>
  | Readonly<{ kind: 'member'; of: Expression; name: Expression; at: DqlPlace }>
  | Readonly<{ kind: 'list'; items: readonly Expression[] }>
  | Readonly<{ kind: 'object'; fields: readonly NamedExpression[] }>
  | Readonly<{ kind: 'date' | 'duration'; text: string; at: DqlPlace }>
  | Readonly<{ kind: 'link'; inner: string; embed: boolean }>
  | Readonly<{ kind: 'literal'; value: string | number | boolean | null }>
  | Readonly<{ kind: 'lambda'; names: readonly string[]; body: Expression }>
  | Readonly<{ kind: 'call'; name: string; parameters: readonly Expression[]; at: DqlPlace }>
  | Readonly<{ kind: 'variable'; name: string; at: DqlPlace }>;

/** The operator between two expressions. */
export type Operator = '&' | '|' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';
