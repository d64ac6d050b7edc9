import { maxFaults, type ReactionFault } from '#domain/reaction-notes/reaction-note.ts';

/** The maximum length of an error's message, in characters. */
const maxMessage = 1_000;

/** Collects the errors of a reaction. Once it is full, the rest of the reaction need not be checked. */
export class FaultList {
  readonly #faults: (ReactionFault & Readonly<{ isConsequence: boolean }>)[] = [];

  get isFull(): boolean {
    return this.#faults.length >= maxFaults;
  }

  /** Adds an error; a consequence is what another error may have caused. */
  add({ line, message }: ReactionFault, isConsequence = false): void {
    if (!this.isFull) this.#faults.push({ line, message: message.slice(0, maxMessage), isConsequence });
  }

  /** Returns the errors by line, and those that others may have caused after them. */
  all(): readonly ReactionFault[] {
    return this.#faults
      .toSorted((left, right) => Number(left.isConsequence) - Number(right.isConsequence) || left.line - right.line)
      .map(({ line, message }) => ({ line, message }));
  }
}
