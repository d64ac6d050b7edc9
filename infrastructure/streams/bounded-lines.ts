/** A line of text without its line end; null for a line that exceeds the limit. */
type BoundedLine = string | null;

const newline = 0x0a;

/**
 * Splits bytes into lines of UTF-8 at `\n` or `\r\n`, buffering at most `maxBytes` per line. Yields null for a longer
 * line as soon as it exceeds the limit, and skips the rest of it. A last line without a line end is included.
 */
export async function* boundedLines(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<BoundedLine> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const part = chunk.subarray(from, end);
      const isOver = size > maxBytes;
      if (!isOver) yield size + part.length > maxBytes ? null : textOf([...held, part]);
      held = [];
      size = 0;
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    const wasOver = size > maxBytes;
    size += rest.length;
    if (size <= maxBytes) held.push(rest);
    else {
      held = [];
      if (!wasOver) yield null;
    }
  }
  if (size > 0 && size <= maxBytes) yield textOf(held);
}

function textOf(parts: readonly Uint8Array[]): string {
  const text = Buffer.concat(parts).toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
