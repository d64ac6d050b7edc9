import { LRUCache } from 'lru-cache';
import { documentLifetimeMs } from '#adapters/client-documents/document-lifetime.ts';
import type { ClientDocuments } from '#application/ports/client-documents.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { KnownClient } from '#domain/oauth/client.ts';
import { checkDocumentAddress, type DocumentError, readClientDocument } from '#domain/oauth/client-document.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

/** Limits on fetching client documents, since anyone can make this server fetch one. */
export const documentBounds = { timeoutMs: 5_000, maxBytes: 10_240, atOnce: 8, kept: 500 } as const;

type Kept = Readonly<{ client: KnownClient; until: number }>;
type Found = Result<KnownClient, DocumentError>;

/**
 * Fetches clients' metadata documents over HTTPS and caches valid ones by their headers. A redirect, any status other
 * than 200, and a document that exceeds the size or time limit are errors, which are not cached. The given HTTP client
 * decides which addresses may be reached.
 */
export class FetchedClientDocuments implements ClientDocuments {
  readonly #http: Pick<HttpClient, 'send'>;
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, Kept>({ max: documentBounds.kept });
  readonly #inFlight = new Map<string, Promise<Found>>();

  constructor(http: Pick<HttpClient, 'send'>, clock: Clock) {
    this.#http = http;
    this.#clock = clock;
  }

  async find(clientId: string): Promise<Found> {
    const kept = this.#kept.get(clientId);
    if (kept !== undefined && this.#clock.now() < kept.until) return ok(kept.client);
    const address = checkDocumentAddress(clientId);
    if (!address.ok) return address;
    const known = this.#inFlight.get(clientId);
    if (known !== undefined) return known;
    if (this.#inFlight.size >= documentBounds.atOnce) {
      return unusable('too many others are being read; try again in a few seconds');
    }
    const reading = this.#read(clientId).finally(() => this.#inFlight.delete(clientId));
    this.#inFlight.set(clientId, reading);
    return reading;
  }

  async #read(clientId: string): Promise<Found> {
    const { timeoutMs, maxBytes } = documentBounds;
    const headers = { accept: 'application/json' };
    const answer = await this.#http.send({ method: 'GET', url: clientId, headers, timeoutMs, maxBytes });
    if (answer.kind === 'error') return unusable(`it could not be read: ${answer.message}`);
    const document = contentOf(answer);
    if (!document.ok) return document;
    const client = readClientDocument(clientId, document.value);
    if (client.ok) {
      const now = this.#clock.now();
      this.#kept.set(clientId, { client: client.value, until: now + documentLifetimeMs(answer.headers, now) });
    }
    return client;
  }
}

function contentOf({ status, headers, body }: HttpAnswer): Result<unknown, DocumentError> {
  if (status >= 300 && status < 400) return unusable('its address must answer it itself, without a redirect');
  if (status !== 200) return unusable(`its address answers ${status} instead of 200`);
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return unusable('its content type must be application/json');
  try {
    const document: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return ok(document);
  } catch {
    return unusable('it must be JSON');
  }
}

function unusable(message: string) {
  return err({ reason: 'unusable_document' as const, message });
}
