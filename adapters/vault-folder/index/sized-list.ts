import { maxListAnswer } from '#domain/notes/sizes.ts';

const memberSize = 16;

/** A list for a response, bounded to 4 MiB of JSON so that serialising it is quick. */
export class SizedList<Member> {
  /** The message for a list that is full. */
  static readonly message = 'The answer would have more than 4 MiB. Ask for less of each note, or for fewer notes.';
  readonly members: Member[] = [];
  #left = maxListAnswer;

  /** Adds members; false when there is no room for them. */
  add(members: readonly Member[]): boolean {
    for (const member of members) {
      this.#left -= sizeUpTo(member, this.#left);
      if (this.#left <= 0) return false;
      this.members.push(member);
    }
    return true;
  }
}

/**
 * The approximate size of the value as JSON, in characters; stops counting at `limit`. Values must not be deeply
 * nested.
 */
function sizeUpTo(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + memberSize;
  if (typeof value !== 'object' || value === null) return memberSize;
  let size = memberSize;
  for (const [name, member] of Object.entries(value)) {
    size += (Array.isArray(value) ? 0 : name.length + memberSize) + sizeUpTo(member, limit - size);
    if (size > limit) return size;
  }
  return size;
}
