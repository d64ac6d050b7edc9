import { callTool, type Target, until } from '#test/containers/client.ts';

/** A call that failed: when it was sent (Unix ms), how long it took, and what was answered. */
export type FailedCall = Readonly<{ sentAt: number; tookMs: number; error: string }>;

/** What came of a load: how many calls, those that failed, the longest time of the others, and the notes whose writing was acknowledged. */
export type Loaded = Readonly<{
  calls: number;
  failed: readonly FailedCall[];
  slowestMs: number;
  written: readonly string[];
}>;

/** A load that runs until it is stopped. */
export type Load = Readonly<{ stop(): Promise<Loaded>; until(calls: number): Promise<void> }>;

/** Calls tools so many times a second, whether or not earlier calls are answered; every tenth writes a note of its own. */
export function startLoad(target: Target, perSecond: number): Load {
  const began = Date.now();
  const failed: FailedCall[] = [];
  const written: string[] = [];
  const open = new Set<Promise<void>>();
  let calls = 0;
  let slowestMs = 0;
  const call = async (): Promise<void> => {
    calls += 1;
    const path = calls % 10 === 0 ? `Load/${began}-${calls}.md` : null;
    const sentAt = Date.now();
    const error =
      path === null
        ? await callTool(target, 'vault_vault_list', {})
        : await callTool(target, 'vault_note_write', { path, content: 'kept' });
    const tookMs = Date.now() - sentAt;
    if (error !== null) failed.push({ sentAt, tookMs, error });
    else {
      slowestMs = Math.max(slowestMs, tookMs);
      if (path !== null) written.push(path);
    }
  };
  const timer = setInterval(() => {
    const one = call().finally(() => open.delete(one));
    open.add(one);
  }, 1_000 / perSecond);
  return {
    until: (count) => until(`${count} calls`, async () => (calls >= count ? null : String(calls)), 600_000),
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      return { calls, failed, slowestMs, written };
    },
  };
}

/** The first few failed calls, by their time in seconds from `since` (Unix ms). */
export function textOf(failed: readonly FailedCall[], since: number): string {
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  const texts = failed
    .slice(0, 5)
    .map(({ sentAt, tookMs, error }) => `at ${seconds(sentAt - since)}, after ${seconds(tookMs)}: ${error}`);
  return texts.join('; ');
}

/** Returns those of the notes that cannot be read. */
export async function lostNotes(target: Target, paths: readonly string[]): Promise<readonly string[]> {
  const read = await Promise.all(
    paths.map(async (path) => ({ path, error: await callTool(target, 'vault_note_read', { path }) })),
  );
  return read.flatMap(({ path, error }) => (error === null ? [] : [`${path}: ${error}`]));
}
