import bodyParser from 'koa-bodyparser';
import type { BodyFault, Route, RouteContext } from '#adapters/http/route.ts';

/** Parses a request's body; the fault when it cannot be parsed, null when it is there or there is none. */
export type BodyReader = (ctx: RouteContext) => Promise<BodyFault | null>;

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const charsetParameter = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const faults = new WeakMap<RouteContext, BodyFault>();
const next = async (): Promise<void> => {};

/** What reads bodies of one kind up to a number of bytes. Made once per route, at start. */
export function bodyReader(kind: Route['body'], limitBytes: number): BodyReader {
  if (kind === 'none') return async () => null;
  const limit = String(limitBytes);
  const onerror = (error: Error, ctx: RouteContext): void => {
    faults.set(ctx, faultOf(error, limitBytes));
  };
  const json = bodyParser({ enableTypes: ['json'], jsonLimit: limit, detectJSON: () => true, onerror });
  const form = bodyParser({ enableTypes: ['form'], formLimit: limit, onerror });
  return async (ctx) => {
    const type = ctx.req.headers['content-type'] ?? '';
    const isJson = kind !== 'form' && jsonType.test(type);
    const isForm = kind !== 'json' && formType.test(type);
    if (!isJson && !isForm) return hasBody(ctx) ? unreadable(`The body must be ${wordsFor[kind]}.`) : none(ctx);
    const charset = charsetParameter.exec(type)?.[1];
    if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset))
      return unreadable('The charset must be UTF-8.');
    await (isJson ? json : form)(ctx, next);
    return faults.get(ctx) ?? null;
  };
}

const wordsFor = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  'json-or-form': 'application/json or application/x-www-form-urlencoded',
};

function none(ctx: RouteContext): null {
  ctx.request.body = {};
  ctx.request.rawBody = '';
  return null;
}

function hasBody(ctx: RouteContext): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer } = ctx.req.headers;
  return transfer !== undefined || (length !== undefined && length !== '0');
}

function unreadable(message: string): BodyFault {
  return { status: 415, message };
}

function faultOf(error: Error, limitBytes: number): BodyFault {
  const status = 'status' in error ? error.status : 400;
  if (status === 413) return { status, message: `The body is larger than ${limitBytes} bytes.` };
  if (status === 415) return { status, message: 'The content encoding is not supported.' };
  return { status: 400, message: 'The body could not be parsed.' };
}
