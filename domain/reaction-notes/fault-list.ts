import { maxFaults, type ReactionFault } from '#domain/reaction-notes/reaction-note.ts';

/** The maximum length of an error's message, in characters. */
const maxMessage = 1_000;

/** Collects the errors of a reaction. Once it is full, the rest of the reaction need not be checked. */
export class FaultList {
  readonly #faults: ReactionFault[] = [];

  get isFull(): boolean {
    return this.#faults.length >= maxFaults;
  }

  add({ line, message }: ReactionFault): void {
    if (!this.isFull) this.#faults.push({ line, message: message.slice(0, maxMessage) });
  }

  /** Returns the errors by line. */
  all(): readonly ReactionFault[] {
    return this.#faults.toSorted((left, right) => left.line - right.line);
  }
}
