import type { Identities } from '#application/ports/identities.ts';
import type { LinkedIdentity } from '#domain/sign-in/identity.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Identities in the memory of this process, for tests and trials. */
export class MemoryIdentities implements Identities {
  readonly #identities = new Map<string, LinkedIdentity>();

  async find(id: string): Promise<LinkedIdentity | null> {
    return this.#identities.get(id) ?? null;
  }

  async list(userId: number): Promise<readonly LinkedIdentity[]> {
    return [...this.#identities.values()]
      .filter((identity) => identity.userId === userId)
      .toSorted((a, b) => a.linkedAt - b.linkedAt || (a.id < b.id ? -1 : 1));
  }

  async link(identity: LinkedIdentity & Readonly<{ userId: number }>): Promise<boolean> {
    const known = this.#identities.get(identity.id);
    if (known !== undefined && known.userId !== null) return false;
    this.#keep(identity);
    return true;
  }

  async noteUse(id: string, { at, email }: Readonly<{ at: number; email: string | null }>): Promise<void> {
    const known = this.#identities.get(id);
    if (known !== undefined && known.userId !== null) this.#keep({ ...known, lastUsedAt: at, email });
  }

  async unlink(userId: number, id: string): Promise<boolean> {
    return this.#identities.get(id)?.userId === userId && this.#identities.delete(id);
  }

  async forgetUser(userId: number): Promise<number> {
    const own = await this.list(userId);
    for (const identity of own) this.#keep({ ...identity, userId: null, email: null });
    return own.length;
  }

  #keep(identity: LinkedIdentity): void {
    this.#identities.set(identity.id, frozenCopy(identity));
  }
}
