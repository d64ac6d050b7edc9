import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

/* A thread that opens streams, tells when all are open, and later when all that may have an event had it. */
const orderSchema = z.object({
  hostname: z.string(),
  port: z.number(),
  count: z.number(),
  tokens: z.array(z.string()),
  requests: z.tuple([z.string(), z.string()]),
  body: z.string(),
});
const { hostname, port, count, tokens, requests, body } = orderSchema.parse(workerData);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (message: string): void => parentPort?.postMessage(message);
const atOnce = 100;

const listening: Socket[] = [];
let [begun, open] = [0, 0];
let wanted: string | null = null;
let had = 0;

function openNext(): void {
  if (begun === count) return;
  const number = begun;
  begun += 1;
  const isOld = number % 2 === 0;
  const socket = connect(port, hostname, () => {
    const token = tokens[number % tokens.length] ?? '';
    socket.write(`${requests[isOld ? 0 : 1]}Authorization: Bearer ${token}\r\n\r\n${isOld ? '' : body}`);
  });
  let isOpen = false;
  socket.on('data', (chunk) => {
    const text = String(chunk);
    if (!isOpen) {
      if (!text.includes(' 200 ')) throw new Error(text);
      isOpen = true;
      open += 1;
      if (!isOld) listening.push(socket);
      if (open === count) say('open');
      openNext();
    } else if (wanted !== null && text.includes(wanted)) {
      had += 1;
      if (had === listening.length) say('all have it');
    }
  });
  socket.on('error', (error) => {
    if (!isOpen) throw error;
  });
}

parentPort?.on('message', (text: unknown) => {
  wanted = String(text);
});
for (let first = 0; first < Math.min(atOnce, count); first += 1) openNext();
