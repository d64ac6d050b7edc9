import type { Middleware } from 'koa';
import type { Options } from 'koa-bodyparser';
import { refuse } from '#adapters/http/answers/refuse.ts';
import type { BodyError, Route, RouteContext } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import { discardRest } from '#infrastructure/http/server-bodies.ts';

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const charsetParameter = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const bodyErrors = new WeakMap<Visit, BodyError>();

/**
 * The steps that read a route's body of at most `limitBytes`; none where the route reads it itself. An unreadable body
 * is only recorded here, for `refuseBody`: callers without access to the route get no details.
 */
export function readBody(kind: Route['body'], limitBytes: number): readonly Middleware[] {
  if (kind === 'none') return [];
  const judgeBody: Middleware = (ctx, next) => {
    const error = contentTypeError(ctx, kind);
    if (error !== null) {
      bodyErrors.set(ctx, error);
      ctx.disableBodyParser = true;
    }
    return next();
  };
  const options: Options & Readonly<{ onProtoPoisoning: 'ignore' }> = {
    // A member called `__proto__` stays one, which the check of the input names and refuses.
    onProtoPoisoning: 'ignore',
    enableTypes: ['json', 'form'],
    jsonLimit: String(limitBytes),
    formLimit: String(limitBytes),
    detectJSON: (ctx) => jsonType.test(typeOf(ctx)),
    onerror: (error, ctx) => {
      bodyErrors.set(ctx, errorOf(error, limitBytes));
    },
  };
  let parser: Middleware | null = null;
  const bodyParser: Middleware = async (ctx, next) => {
    // The parser, which loads forty modules, is imported with the first body that is read.
    parser ??= (await import('koa-bodyparser')).default(options);
    return parser(ctx, next);
  };
  return [judgeBody, bodyParser];
}

/** Rejects an unreadable body, in the error format of the route's protocol if it has its own. */
export function bodyRejection(refuseOwn: Route['refuseBody'] = refuseUnread): PipelineStep {
  const refuseBody: PipelineStep = (ctx, next) => {
    const error = bodyErrors.get(ctx);
    if (error === undefined) return next();
    if (error.status === 413) discardRest(ctx.req);
    return refuseOwn(ctx, error);
  };
  return refuseBody;
}

const errorCodes = { 400: 'invalid_request', 413: 'too_large', 415: 'unsupported_media_type' } as const;

function refuseUnread(ctx: Visit, { status, message }: BodyError): void {
  refuse(ctx, { status, error: errorCodes[status], description: message });
}

const wordsFor = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  'json-or-form': 'application/json or application/x-www-form-urlencoded',
};

/** The error of a body's media type or charset, found before reading it; null when it may be read, or there is none. */
function contentTypeError(ctx: RouteContext, kind: Exclude<Route['body'], 'none'>): BodyError | null {
  const type = typeOf(ctx);
  const isRead = (kind !== 'form' && jsonType.test(type)) || (kind !== 'json' && formType.test(type));
  if (!isRead) return hasBody(ctx) ? unreadable(`The body must be ${wordsFor[kind]}.`) : null;
  const charset = charsetParameter.exec(type)?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return null;
  return unreadable('The charset must be UTF-8.');
}

function typeOf(ctx: RouteContext): string {
  return ctx.req.headers['content-type'] ?? '';
}

function hasBody(ctx: RouteContext): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer } = ctx.req.headers;
  return transfer !== undefined || (length !== undefined && length !== '0');
}

function unreadable(message: string): BodyError {
  return { status: 415, message };
}

function errorOf(error: Error, limitBytes: number): BodyError {
  const status = 'status' in error ? error.status : 400;
  if (status === 413) return { status, message: `The body is larger than ${limitBytes} bytes.` };
  if (status === 415) return { status, message: 'The content encoding is not supported.' };
  const isOtherJson = error.message.includes('only supports object');
  return { status: 400, message: isOtherJson ? 'The body must be a JSON object.' : 'The body could not be parsed.' };
}
