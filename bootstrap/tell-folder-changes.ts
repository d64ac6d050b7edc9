import type { FileChange } from '#adapters/embedded-vault/note-index.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { NoteChange, NoteChanges } from '#application/ports/note-changes.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';

type Ports = Readonly<{ tokens: Pick<OutboundTokens, 'find'>; noteChanges: NoteChanges; clock: Clock }>;

/** How long it is believed which vault the user is connected to, in ms: a folder may change in a thousand files at once. */
const believedMs = 2_000;

/** Tells of changes in the folder of the embedded vault, as long as anybody hears, and the user is connected to it and no other. */
export function folderTeller(
  { tokens, noteChanges, clock }: Ports,
  userId: number,
): (path: string, kind: FileChange) => void {
  let believedUntil = 0;
  let isConnected = Promise.resolve(false);
  const ask = async (): Promise<boolean> => {
    try {
      return (await tokens.find(userId, 'vault'))?.extra['embedded'] === true;
    } catch {
      return false;
    }
  };
  const tell = async (change: NoteChange, isSo: Promise<boolean>): Promise<void> => {
    if (await isSo) noteChanges.tell(change);
  };
  return (path, kind) => {
    if (!noteChanges.isHeard) return;
    if (clock.now() >= believedUntil) {
      believedUntil = clock.now() + believedMs;
      isConnected = ask();
    }
    void tell({ userId, path, kind }, isConnected);
  };
}
