import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** The maximum number of source files that each call runs, a request to a provider between them. */
const maxFiles: readonly (readonly [call: string, files: number])[] = [
  ['a record', 60],
  ['a list', 63],
  ['a note', 72],
  // The watch of the folder of reactions may or may not run within it.
  ['a delivery', 184],
];

it('a call runs few source files, which a reader has to know', async () => {
  const child = spawn(process.execPath, ['test/tools/call-paths.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const listed = await text(child.stdout);
  for (const [call, most] of maxFiles) {
    const files = Number(new RegExp(`^${call}: (\\d+) files, \\d+ functions$`, 'm').exec(listed)?.[1]);
    expect(files, listed).toBeGreaterThan(20);
    expect(files, listed).toBeLessThanOrEqual(most);
  }
}, 300_000);
