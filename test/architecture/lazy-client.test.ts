import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadedWith } from '#test/architecture/loaded-files.ts';

it('a server loads the client of the MCP SDK when it opens the first session with a remote server (REMOTE-014)', () => {
  const packages = /^import (?!type )(?:[^;]*? from )?'(?:@modelcontextprotocol|ajv|eventsource)/m;
  const loading = (start: string, isLater: boolean) =>
    [...loadedWith([start], isLater)].filter((file) => packages.test(readFileSync(file, 'utf8')));
  expect(loading('bootstrap/run-server.ts', false)).toEqual([]);
  expect(loading('bootstrap/stdio.ts', false)).toEqual([]);
  expect(loading('bootstrap/run-server.ts', true)).toContain('adapters/mcp-client/open-session.ts');
});
