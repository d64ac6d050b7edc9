import { createHmac } from 'node:crypto';
import type { Clock } from '#application/ports/clock.ts';
import type { SendingResult, WebhookPoster } from '#application/ports/notification-senders.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpAnswer, HttpError, HttpStream } from '#infrastructure/http/http-messages.ts';

type SignedWebhookDependencies = Readonly<{
  http: Pick<HttpClient, 'open' | 'within'>;
  url: string;
  /** The signing keys; each makes a signature, so that a receiver may have either of two while they are changed. */
  keys: readonly Uint8Array[];
  clock: Clock;
}>;

/** The maximum duration of an attempt, in ms. */
const timeoutMs = 10_000;
/** The maximum size of an answer that is read, in bytes; of a success nothing is read. */
const maxBytes = 16_384;
/** The longest wait that a receiver may ask for, in ms. */
const maxRetryAfterMs = 3_600_000;

/**
 * Sends messages to one address as Standard Webhooks: signed with HMAC-SHA256 over id, time and body. No redirect is
 * followed, and the address may be private, but not link-local.
 */
export class SignedWebhook implements WebhookPoster {
  readonly #dependencies: SignedWebhookDependencies;

  constructor(dependencies: SignedWebhookDependencies) {
    this.#dependencies = dependencies;
  }

  async send({ id, body }: Readonly<{ id: string; body: string }>, stop: AbortSignal): Promise<SendingResult> {
    const { http, url, keys, clock } = this.#dependencies;
    const timestamp = String(Math.floor(clock.now() / 1000));
    const cut = new AbortController();
    const signal = AbortSignal.any([stop, cut.signal, AbortSignal.timeout(timeoutMs)]);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': keys.map((key) => signatureOf(key, `${id}.${timestamp}.${body}`)).join(' '),
    };
    const answer = await http
      .within('private')
      .open({ method: 'POST', url, headers, body, timeoutMs, maxBytes, signal });
    if (answer.kind === 'stream') await abandon(answer, cut);
    return sendingOf(answer);
  }
}

/** The signature of a message in the words of Standard Webhooks. */
export function signatureOf(key: Uint8Array, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** Closes an answer without reading it, since its status says everything. */
async function abandon({ body }: HttpStream, cut: AbortController): Promise<void> {
  cut.abort();
  try {
    for await (const _ of body) break;
  } catch {
    // It was broken off.
  }
}

function sendingOf(answer: HttpAnswer | HttpStream | HttpError): SendingResult {
  if (answer.kind === 'error') return { kind: 'failed', error: answer.reason };
  if (answer.status >= 200 && answer.status < 300) return { kind: 'sent' };
  const seconds = Number(answer.headers['retry-after']);
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, maxRetryAfterMs) : 0;
  return { kind: 'failed', error: `HTTP ${answer.status}`, retryAfterMs };
}
