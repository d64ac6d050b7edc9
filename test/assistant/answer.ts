/** What a tool answered, to look into without knowing its type. */
export class Answer {
  readonly value: unknown;
  readonly text: string;

  constructor(value: unknown, text: string = typeof value === 'string' ? value : JSON.stringify(value)) {
    this.value = value;
    this.text = text;
  }

  /** The value at a path such as `data.0.id`; undefined when there is none. */
  at(path: string): unknown {
    return path
      .split('.')
      .filter((name) => name !== '')
      .reduce<unknown>(
        (value, name) => (typeof value === 'object' && value !== null ? Object(value)[name] : undefined),
        this.value,
      );
  }

  /** The value at a path, as text. */
  str(path: string): string {
    const value = this.at(path);
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** The list at a path. */
  list(path: string): readonly Answer[] {
    const value = this.at(path);
    return Array.isArray(value) ? value.map((item) => new Answer(item)) : [];
  }

  /** The first of a list that fits; throws when none does. */
  find(path: string, fits: (item: Answer) => boolean): Answer {
    const item = this.list(path).find(fits);
    if (item === undefined) throw new Error(`Nothing of ${path} fits: ${this.text.slice(0, 500)}`);
    return item;
  }
}
