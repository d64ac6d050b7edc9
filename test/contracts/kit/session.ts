import type { Opened, OpenOptions, Subject } from '#test/contracts/kit/subject.ts';

/** The store of one test, and everything else that the test opened. */
export class Session<Port, Handle extends Opened<Port>> {
  readonly #subject: Subject<Port, Handle>;
  readonly #options: OpenOptions;
  readonly #open = new Set<Handle>();
  #first: Handle | null = null;

  constructor(subject: Subject<Port, Handle>, options: OpenOptions) {
    this.#subject = subject;
    this.#options = options;
  }

  /** Opens an empty store. */
  async begin(): Promise<Port> {
    return this.#hold(await this.#subject.open(this.#options));
  }

  /** Closes the store and opens the same data again. */
  async reopen(): Promise<Port> {
    const former = this.#handle();
    if (this.#subject.reopen === undefined) throw new Error(`${this.#subject.name} has no reopen`);
    this.#open.delete(former);
    return this.#hold(await this.#subject.reopen(former, this.#options));
  }

  /** Opens the store a second time. */
  async beside(): Promise<Port> {
    if (this.#subject.beside === undefined) throw new Error(`${this.#subject.name} has no beside`);
    const other = await this.#subject.beside(this.#handle(), this.#options);
    this.#open.add(other);
    return other.port;
  }

  /** Returns everything stored as text, in which ASCII bytes can be searched. */
  async raw(): Promise<string> {
    if (this.#subject.raw === undefined) throw new Error(`${this.#subject.name} has no raw`);
    const stored = await this.#subject.raw(this.#handle());
    return typeof stored === 'string' ? stored : Buffer.from(stored).toString('latin1');
  }

  /** Closes everything that is open, then throws the first error. */
  async end(): Promise<void> {
    const handles = [...this.#open].toReversed();
    this.#open.clear();
    this.#first = null;
    const closed = await Promise.allSettled(handles.map((handle) => handle.close()));
    for (const one of closed) if (one.status === 'rejected') throw one.reason;
  }

  #hold(handle: Handle): Port {
    this.#first = handle;
    this.#open.add(handle);
    return handle.port;
  }

  #handle(): Handle {
    if (this.#first === null) throw new Error(`${this.#subject.name} is not open`);
    return this.#first;
  }
}
