import type { Delivered } from '#test/demo/deliveries.ts';
import type { Changed, Shown } from '#test/demo/documents.ts';

/** What happened, what was delivered because of it, and what that changed. */
export type StoryStep = Readonly<{
  number: number;
  place: string;
  what: string;
  remark: string | null;
  deliveries: readonly Delivered[];
  changes: readonly Changed[];
}>;

/** Where everything is, for a browser and for an MCP client. */
export type Addresses = Readonly<{
  home: string;
  email: string;
  password: string;
  mcp: string;
  deliveries: string;
  notes: string;
  tools: number;
}>;

/** Everything the page shows. */
export type Chapter = Readonly<{
  addresses: Addresses;
  isOver: boolean;
  steps: number;
  story: readonly StoryStep[];
  documents: readonly Shown[];
}>;

/** What has been reported so far, for whoever looks at any time. */
export class Chronicle {
  readonly #addresses: Addresses;
  readonly #steps: number;
  readonly #story: StoryStep[] = [];
  readonly #listeners = new Set<() => void>();
  #documents: readonly Shown[] = [];
  #isOver = false;

  /** `steps` is how many the story has. */
  constructor(addresses: Addresses, steps: number) {
    this.#addresses = addresses;
    this.#steps = steps;
  }

  get now(): Chapter {
    return {
      addresses: this.#addresses,
      isOver: this.#isOver,
      steps: this.#steps,
      story: this.#story,
      documents: this.#documents,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds what happened, with the documents as they are now. */
  add(step: Omit<StoryStep, 'number'>, documents: readonly Shown[]): StoryStep {
    const numbered = { ...step, number: this.#story.length + 1 };
    this.#story.push(numbered);
    this.#documents = documents;
    this.#announce();
    return numbered;
  }

  end(): void {
    this.#isOver = true;
    this.#announce();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
