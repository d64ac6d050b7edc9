import { FetchedClientDocuments } from '#adapters/client-documents/fetched-client-documents.ts';
import type { HttpAnswer, HttpError, HttpRequest } from '#infrastructure/http/http-messages.ts';

/** What a host answers, as far as it differs from a good document. */
export type Hosted = Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; document: unknown }>;

/** Reads documents from a host that is played here, and keeps what was asked of it. */
export function documentHost(hosted: Map<string, Hosted | HttpError>, time: { now: number }) {
  const requests: HttpRequest[] = [];
  const send = async (request: HttpRequest): Promise<HttpAnswer | HttpError> => {
    requests.push(request);
    const found = hosted.get(request.url) ?? { status: 404, document: null };
    if ('kind' in found) return found;
    const { status = 200, headers = {}, document } = found;
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    return {
      kind: 'answer',
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: Buffer.from(text),
    };
  };
  return { requests, documents: new FetchedClientDocuments({ send }, { now: () => time.now }) };
}
