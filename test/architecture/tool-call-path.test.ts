import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** The maximum number of source files that one call of a tool runs, the provider's request between them. */
const maxFiles = 44;

it('a call of a tool runs few source files, which a reader has to know', async () => {
  const child = spawn(process.execPath, ['test/tools/tool-call-path.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const listed = await text(child.stdout);
  const files = Number(/^(\d+) files, \d+ functions$/m.exec(listed)?.[1]);
  expect(files, listed).toBeGreaterThan(20);
  expect(files, listed).toBeLessThanOrEqual(maxFiles);
}, 120_000);
