import { isBelow } from '#adapters/http/answers/places.ts';
import { type ProblemReason, sendProblem } from '#adapters/http/answers/problem.ts';
import { showMessage } from '#adapters/http/answers/show-page.ts';
import type { Visit } from '#adapters/http/visit.ts';

/** A rejection: a machine-readable error code and a sentence for people. */
export type Rejection = Readonly<{
  status: number;
  error: ProblemReason | 'invalid_request';
  description: string;
}>;

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Method not allowed',
  413: 'Too large',
  415: 'Unsupported content type',
  429: 'Too many requests',
  500: 'Something went wrong on this server',
  503: 'Not ready',
};

/** The routes beside `/api` whose answers to programs are problems, as all their other errors are. */
const problemPlaces = ['/save', '/disconnect', '/connections'];

/** A link to sign-in, or home. */
const home = { href: '/', text: 'Home' };

/**
 * Answers with the rejection. Below `/api` as problem JSON with a `reason` (RFC 9457); below `/webhooks` as `{error}`,
 * like the receivers; elsewhere as a page when `Accept` names text/html, else as JSON: a problem where the route answers
 * with problems, `{error, error_description}` where it does not.
 */
export function refuse(ctx: Visit, { status, error, description }: Rejection): void {
  if (isBelow(ctx.path, '/webhooks')) {
    ctx.status = status;
    ctx.body = { error };
    return;
  }
  const reason = error === 'invalid_request' ? 'invalid_input' : error;
  if (isBelow(ctx.path, '/api')) {
    sendProblem(ctx, { status, reason, detail: description });
    return;
  }
  ctx.vary('Accept');
  if (acceptOf(ctx).includes('text/html')) {
    showMessage(ctx, status, { title: titles[status] ?? 'Not possible', text: description, link: home });
    return;
  }
  if (problemPlaces.some((place) => isBelow(ctx.path, place))) {
    sendProblem(ctx, { status, reason, detail: description });
    return;
  }
  ctx.status = status;
  ctx.body = { error, error_description: description };
}

/** Whether the caller is a program: `Accept` names JSON or an event stream, and not HTML (SESS-009). */
export function prefersJson(ctx: Visit): boolean {
  const accept = acceptOf(ctx);
  return /application\/json|text\/event-stream/.test(accept) && !accept.includes('text/html');
}

/** Whether the caller below `/api` is a program: its `Accept` does not name HTML. */
export function prefersProblem(ctx: Visit): boolean {
  return isBelow(ctx.path, '/api') && !acceptOf(ctx).includes('text/html');
}

function acceptOf(ctx: Visit): string {
  return ctx.req.headers.accept?.toLowerCase() ?? '';
}
