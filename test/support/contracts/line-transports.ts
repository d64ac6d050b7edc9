import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { maxMessageBytes } from '#adapters/mcp/protocol/message-bounds.ts';
import { serveLineSocket } from '#bootstrap/serve-lines.ts';
import { boundedLines } from '#infrastructure/streams/bounded-lines.ts';
import type { Opened } from '#test/contracts/kit/subject.ts';
import type { Stage } from '#test/contracts/kit/transport-stage.ts';
import type { OpenTransport, TransportClient } from '#test/contracts/kit/transport-subject.ts';
import { SdkDispatcher } from '#test/examples/sdk-transport.ts';
import { ReceivedMessages } from '#test/support/contracts/received-messages.ts';
import { openParts, sdkServer } from '#test/support/contracts/transport-parts.ts';
import { people } from '#test/support/mcp/mcp-app.ts';

/** Lines on two streams, like standard input and output. */
export async function openStreams(stage: Stage): Promise<Opened<OpenTransport>> {
  return overStreams(openParts(stage));
}

/** The same with the SDK's server in place of the dispatcher. */
export async function openSdk(stage: Stage): Promise<Opened<OpenTransport>> {
  return overStreams(openParts(stage, { dispatcher: new SdkDispatcher(() => sdkServer(stage)) }));
}

function overStreams({ endpoint, control, current, end }: ReturnType<typeof openParts>): Opened<OpenTransport> {
  const connectOne = async (): Promise<TransportClient> => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const heard = new ReceivedMessages();
    const closed = new Promise<void>((resolve) => output.once('end', resolve));
    void hear(output, heard);
    const client = {
      current,
      since: null,
      send: (json: string) => void output.write(`${json}\n`),
      end: () => void output.end(),
    };
    void endpoint.lines.serve(people.ann, client, boundedLines(input, maxMessageBytes)).then(() => output.end());
    const send = async (text: string) => void input.write(`${text}\n`);
    const close = async () => void input.end();
    return { received: heard.received, onMessage: heard.onMessage, send, closed, close };
  };
  const port = { ...control, connect: connectOne, stop: (maxWaitMs: number) => endpoint.stop(maxWaitMs) };
  return { port, close: async () => end() };
}

/** A Unix socket in a folder of its own. */
export async function openSocket(stage: Stage): Promise<Opened<OpenTransport>> {
  const { endpoint, control, current, end } = openParts(stage);
  const folder = await mkdtemp(join(tmpdir(), 'portolan-socket-'));
  const path = join(folder, 'mcp.sock');
  const server = await serveLineSocket(endpoint.lines, path, { user: people.ann, current, since: null });
  const connectOne = async (): Promise<TransportClient> => {
    const socket = connect(path);
    const heard = new ReceivedMessages();
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    void hear(socket, heard);
    const send = async (text: string) => void socket.write(`${text}\n`);
    return {
      received: heard.received,
      onMessage: heard.onMessage,
      send,
      closed,
      close: async () => void socket.destroy(),
    };
  };
  const stop = async (maxWaitMs: number) => {
    const closed = server.close();
    await endpoint.stop(maxWaitMs);
    await closed;
  };
  const close = async () => {
    end();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { port: { ...control, connect: connectOne, stop }, close };
}

/** Passes each line on as a message. Only \n ends a line; `node:readline` also splits at U+2028. */
async function hear(bytes: AsyncIterable<Uint8Array>, heard: ReceivedMessages): Promise<void> {
  try {
    for await (const line of boundedLines(bytes, 16 << 20)) if (line !== null) heard.take(line);
  } catch {
    // The connection was cut.
  }
}
