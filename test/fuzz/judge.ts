import type { FuzzRequest } from '#test/fuzz/requests.ts';

/** What came of a request: its status, 0 when there was no answer; the text; and how long it took. */
export type Answered = Readonly<{ status: number; text: string; tookMs: number }>;

/** How long our own work may take, in ms. */
const ownWorkMs = 5_000;
/** How long a call of a service may wait before that for its turn in the provider's limits, in ms. Any request but a delivery may hold one. */
const turnMs = 10_000;
const ofProviders = [502, 503, 504];
const provider = /reason"?:\s*"?(unavailable|rate_limited)/;

/** Why an answer to a request of that kind is a fault of the server, in a sentence; null when it is none. */
export function faultIn(
  { status, text, tookMs }: Answered,
  { kind, isBarred = false, isWrong = false }: Pick<FuzzRequest, 'kind' | 'isBarred' | 'isWrong'>,
): string | null {
  if (isWrong && (status < 400 || status >= 500)) return `What there is not was answered by ${status}.`;
  if (status === 0) return `There was no answer in ${Math.round(tookMs)} ms.`;
  if (isBarred && status >= 200 && status < 300) return 'Somebody got in who must not.';
  if (text.includes('-32603')) return 'JSON-RPC reports an internal error (-32603).';
  // A service that fails or limits is asked again for a while: that is no hang of ours, and the answer says so.
  const boundMs = kind === 'delivery' || kind === 'session' ? ownWorkMs : ownWorkMs + turnMs;
  if (tookMs > boundMs && !provider.test(text)) return `The answer took ${Math.round(tookMs)} ms.`;
  if (status < 500) return null;
  if (ofProviders.includes(status) && /"reason":\s*"[a-z_]+"/.test(text)) return null;
  return `The answer is ${status} without a reason that lies with a service.`;
}
