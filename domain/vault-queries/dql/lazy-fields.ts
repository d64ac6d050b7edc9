/** Fields that are worked out when they are asked for: those of a note, a task or a row. */
export class LazyFields {
  /** The names of all fields. */
  readonly names: () => readonly string[];
  /** The value of a field; undefined when there is none. */
  readonly get: (name: string) => unknown;
  /** What stands for the fields in an answer. */
  readonly printed: () => unknown;

  constructor(names: LazyFields['names'], get: LazyFields['get'], printed: LazyFields['printed']) {
    this.names = names;
    this.get = get;
    this.printed = printed;
  }

  /** The same fields with some of other values. */
  with(values: ReadonlyMap<string, unknown>): LazyFields {
    return new LazyFields(
      () => [...new Set([...this.names(), ...values.keys()])],
      (name) => (values.has(name) ? values.get(name) : this.get(name)),
      this.printed,
    );
  }
}
