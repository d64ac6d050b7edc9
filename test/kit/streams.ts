import { request } from 'node:http';
import { eventually } from '#test/kit/checks.ts';
import { placeOf } from '#test/kit/wire.ts';

/** An event of a stream. */
export type StreamEvent = Readonly<{ event: string; data: string }>;

/** An open event stream, and its events so far. */
export type Stream = Readonly<{
  status: number;
  contentType: string;
  /** Waits for the next matching event. */
  next(what: string, fits: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  close(): void;
}>;

/** Opens an event stream (text/event-stream) by GET. */
export async function openStream(
  baseUrl: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Stream> {
  let text = '';
  const events = (): readonly StreamEvent[] =>
    text
      .split(/\r?\n\r?\n/)
      .slice(0, -1)
      .map((block) => ({
        event: /^event: ?(.*)$/m.exec(block)?.[1] ?? 'message',
        data: [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line = '']) => line).join('\n'),
      }));
  return new Promise((resolve, reject) => {
    const { place, host } = placeOf(baseUrl);
    const outgoing = request(new URL(path, place), { headers: { host, accept: 'text/event-stream', ...headers } });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      incoming.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      incoming.on('error', () => {});
      resolve({
        status: incoming.statusCode ?? 0,
        contentType: incoming.headers['content-type'] ?? '',
        next: (what, fits) => eventually(what, () => events().find(fits) ?? null),
        close: () => void outgoing.destroy(),
      });
    });
    outgoing.end();
  });
}
