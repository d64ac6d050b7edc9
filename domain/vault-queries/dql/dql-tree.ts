/** A query of the Dataview query language, as it is parsed. */
export type Query = Readonly<{
  form: 'TABLE' | 'LIST' | 'TASK';
  withoutId: boolean;
  fields: readonly Readonly<{ name: string; value: Expression }>[];
  clauses: readonly Clause[];
}>;

/** The clauses after the query type, in any order and number. */
export type Clause =
  | Readonly<{ kind: 'from'; source: Source }>
  | Readonly<{ kind: 'where'; value: Expression }>
  | Readonly<{ kind: 'sort'; keys: readonly Readonly<{ value: Expression; isDescending: boolean }>[] }>
  | Readonly<{ kind: 'limit'; count: number }>;

/** The source of a query: which notes it reads. */
export type Source =
  | Readonly<{ kind: 'and' | 'or'; left: Source; right: Source }>
  | Readonly<{ kind: 'not'; source: Source }>
  | Readonly<{ kind: 'tag'; name: string }>
  | Readonly<{ kind: 'folder' | 'outgoing' | 'incoming'; path: string }>;

/** An expression that is evaluated for a note. */
export type Expression =
  | Readonly<{ kind: 'binary'; operator: Operator; left: Expression; right: Expression }>
  | Readonly<{ kind: 'not' | 'negative'; value: Expression }>
  | Readonly<{ kind: 'member'; of: Expression; name: Expression }>
  | Readonly<{ kind: 'list'; items: readonly Expression[] }>
  | Readonly<{ kind: 'date' | 'duration'; text: string }>
  | Readonly<{ kind: 'link'; path: string }>
  | Readonly<{ kind: 'literal'; value: string | number | boolean | null }>
  | Readonly<{
      kind: 'call';
      name: string;
      parameters: readonly Expression[];
      at: Readonly<{ line: number; column: number }>;
    }>
  | Readonly<{ kind: 'variable'; name: string }>;

/** The operator between two expressions. */
export type Operator = 'and' | 'or' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';
