import { type Page, type PageNeeds, pageOf } from '#adapters/vault-folder/dql/dql-page.ts';
import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import type { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import { isNote } from '#domain/notes/vault-path.ts';
import { DqlError, type DqlScope, type DqlVault } from '#domain/vault-queries/dql/dql-scope.ts';
import type { LazyFields } from '#domain/vault-queries/dql/lazy-fields.ts';
import { linkOf } from '#domain/vault-queries/dql/link.ts';
import { BudgetSpent, WorkBudget } from '#domain/vault-queries/work-budget.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

const maxRounds = 50;
/** The most notes that links lead to and that are kept from one evaluation to the next. */
const maxLinked = 2_000;

/** Reads the notes of a query, and evaluates expressions over them. */
export class DqlPages {
  readonly #index: NoteIndex;
  readonly #work: TextWork;
  readonly #now: number;
  readonly #needs: PageNeeds;
  /** The notes that links lead to. */
  readonly #linked = new Map<string, Page>();
  /** The notes that an evaluation asked for and that are to be read before it is repeated. */
  readonly #missing = new Set<string>();
  readonly #budget = new WorkBudget(1_000_000);
  readonly #slices = new TimeSlices();
  readonly #vault: DqlVault;

  constructor(index: NoteIndex, work: TextWork, now: number, needs: PageNeeds) {
    this.#index = index;
    this.#work = work;
    this.#now = now;
    this.#needs = needs;
    this.#vault = {
      link: (inner) => linkOf(inner, (to) => index.links.resolved('', [to])[0] ?? null),
      note: (path) => this.#fieldsOf(path),
    };
  }

  /** Reads a note; null when it is gone. */
  async read(path: string): Promise<Page | null> {
    if (this.#slices.isUsedUp) await this.#slices.next();
    const found = this.#index.textOf(path);
    const text = found instanceof Promise ? await found : found;
    if (text === null) return null;
    const parsed = this.#index.metadataOf(path, text, this.#work);
    const metadata = parsed instanceof Promise ? await parsed : parsed;
    return pageOf(path, text, metadata, this.#index, this.#needs);
  }

  /** Evaluates something in the scope of a row. What it asks of other notes is read, and then it is repeated. */
  async inScope<Value>(fields: LazyFields, run: (scope: DqlScope) => Value): Promise<Value> {
    const scope: DqlScope = { fields, vault: this.#vault, now: this.#now, budget: this.#budget };
    if (this.#linked.size > maxLinked) this.#linked.clear();
    for (let round = 0; round < maxRounds; round += 1) {
      if (this.#slices.isUsedUp) await this.#slices.next();
      this.#budget.renew();
      const found = attempt(() => run(scope));
      if (this.#missing.size === 0) return found();
      const paths = [...this.#missing];
      this.#missing.clear();
      for (const path of paths) {
        const page = await this.read(path);
        if (page !== null) this.#linked.set(path, page);
      }
    }
    throw new DqlError('The query follows links too far.');
  }

  #fieldsOf(path: string): LazyFields | null {
    const page = this.#linked.get(path);
    if (page !== undefined) return page.fields;
    if (isNote(path) && this.#index.statOf(path) !== null) this.#missing.add(path);
    return null;
  }
}

/** Runs something; the result gives its value or throws what it threw. Too much work is thrown at once. */
function attempt<Value>(run: () => Value): () => Value {
  try {
    const value = run();
    return () => value;
  } catch (error) {
    if (error instanceof BudgetSpent) throw error;
    return () => {
      throw error;
    };
  }
}
