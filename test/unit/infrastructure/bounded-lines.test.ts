import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { boundedLines } from '#infrastructure/streams/bounded-lines.ts';

async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function linesOf(chunks: readonly string[], maxBytes = 8): Promise<readonly (string | null)[]> {
  const bytes = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
  };
  return allOf(boundedLines(bytes(), maxBytes));
}

describe('a line reader with a limit of eight bytes', () => {
  it.each([
    ['one a chunk', ['a\n', 'b\n'], ['a', 'b']],
    ['several in a chunk', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
    ['one over several chunks', ['a', 'b', 'c\nd'], ['abc', 'd']],
    ['ends of Windows', ['a\r', '\nb\r\n'], ['a', 'b']],
    ['a letter over two chunks', ['\xc3', '\xa4\n'], ['ä']],
    ['U+2028, which ends no line', ['a\xe2\x80\xa8b\n'], ['a\u2028b']],
    ['as long as may be', ['12345678\n'], ['12345678']],
    ['too long in one chunk', ['123456789\nb\n'], [null, 'b']],
    ['too long over chunks, reported once', ['1234', '56789', '0', '\nb\n'], [null, 'b']],
    ['too long and without an end', ['123456789'], [null]],
    ['nothing', [], []],
  ])('%s', async (_, chunks, lines) => {
    expect(await linesOf(chunks)).toEqual(lines);
  });

  it('are not kept in memory when one is too long', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const chunks: WeakRef<Buffer>[] = [];
    let held = Number.POSITIVE_INFINITY;
    const bytes = async function* () {
      for (let sent = 0; sent < 100; sent += 1) {
        const chunk = Buffer.alloc(1 << 20, 'x');
        chunks.push(new WeakRef(chunk));
        yield chunk;
      }
      // A weak reference keeps its chunk until the turn of the event loop that made it is over.
      await setImmediate();
      collectGarbage();
      held = chunks.filter((chunk) => chunk.deref() !== undefined).length;
    };
    expect(await allOf(boundedLines(bytes(), 1 << 20))).toEqual([null]);
    expect(held).toBeLessThan(5);
  });
});
