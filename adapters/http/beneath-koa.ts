import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { logConnectionFailure } from '#adapters/http/middleware/client-gone.ts';
import type { Pipeline } from '#adapters/http/pipeline.ts';
import type { BusyAnswer, ProgramRoute } from '#adapters/http/route.ts';
import type { Programs } from '#adapters/http/routers.ts';
import type { PipelineStep, Visit, VisitState } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';
import { endTogether } from '#infrastructure/http/server-bodies.ts';

/** The routes that are served beneath Koa, and the listener for all other requests. */
type BeneathKoa = Readonly<{
  programs: Programs;
  otherwise: RequestListener;
  /** Answers a request that its route refuses at once. */
  answerBusy: (response: ServerResponse, answer: BusyAnswer) => void;
  /** Whether the `X-Forwarded-` headers are trusted. */
  trustProxy: boolean;
  logger: Logger;
}>;

/**
 * Mounts the pipeline for the programs' routes, found by method and path; passes other requests to `otherwise`.
 */
export function mountBeneath(
  { always, to }: Pipeline,
  { programs, otherwise, answerBusy, trustProxy, logger }: BeneathKoa,
): RequestListener {
  const handlers = new Map<ProgramRoute, Handler<BareVisit>>();
  const handlerOf = (route: ProgramRoute): Handler<BareVisit> => {
    const handle = handlers.get(route) ?? composed<BareVisit>([...always('program'), ...to(route, [])]);
    handlers.set(route, handle);
    return handle;
  };
  const answer = async (visit: BareVisit, handle: Handler<BareVisit>): Promise<void> => {
    try {
      await handle(visit);
      visit.send();
    } catch (error) {
      logConnectionFailure(logger, error, visit);
      visit.res.destroy();
    }
  };
  return (request, response) => {
    const { method = '' } = request;
    const path = pathOf(request);
    const found = programs.literal.get(`${method} ${path}`) ?? programs.find(method, path);
    if (found === null) return otherwise(request, response);
    const refusal = found.route.refusal?.() ?? null;
    if (refusal !== null) answerBusy(response, refusal);
    else void answer(new BareVisit(request, response, { params: found.params, trustProxy }), handlerOf(found.route));
  };
}

type Handler<V> = (visit: V) => Promise<unknown>;

/**
 * Composes the steps into one function. Steps that do not wait share one resolved promise, rather than allocating one
 * each.
 */
function composed<V extends Visit>(steps: readonly PipelineStep<V>[]): Handler<V> {
  const end: Handler<V> = () => done;
  return steps.reduceRight<Handler<V>>((rest, step) => {
    return (visit) => {
      const stepped = step(visit, () => rest(visit));
      return stepped instanceof Promise ? stepped : done;
    };
  }, end);
}

const done: Promise<void> = Promise.resolve();

/** A request's context without Koa: its getters return the same as Koa's. */
class BareVisit implements Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly state: VisitState = {};
  /** Always true: responses are always sent whole. */
  readonly fresh = false;
  body: unknown;
  respond = true;
  readonly #trustProxy: boolean;

  /** `trustProxy` trusts the `X-Forwarded-` headers. */
  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    { params, trustProxy }: Pick<BareVisit, 'params'> & Readonly<{ trustProxy: boolean }>,
  ) {
    this.req = req;
    this.res = res;
    this.params = params;
    this.#trustProxy = trustProxy;
    res.statusCode = 404;
  }

  get method(): string {
    return this.req.method ?? '';
  }

  get path(): string {
    return pathOf(this.req);
  }

  get querystring(): string {
    const { url = '' } = this.req;
    const start = url.indexOf('?');
    return start === -1 ? '' : url.slice(start + 1);
  }

  get query(): Visit['query'] {
    const text = this.querystring;
    return text === '' ? noQuery : parse(text);
  }

  get host(): string {
    return this.#forwarded('x-forwarded-host') || (this.req.headers.host ?? '');
  }

  get protocol(): string {
    return isEncrypted(this.req) ? 'https' : this.#forwarded('x-forwarded-proto').toLowerCase() || 'http';
  }

  get ip(): string {
    if (!this.#trustProxy) return this.req.socket.remoteAddress ?? '';
    return this.get('x-forwarded-for').split(',').at(-1)?.trim() || (this.req.socket.remoteAddress ?? '');
  }

  get status(): number {
    return this.res.statusCode;
  }

  set status(status: number) {
    this.res.statusCode = status;
  }

  get type(): string {
    return String(this.res.getHeader('Content-Type') ?? '');
  }

  set type(type: string) {
    this.res.setHeader('Content-Type', type);
  }

  get(header: string): string {
    return String(this.req.headers[header.toLowerCase()] ?? '');
  }

  set(header: string, value: string): void {
    this.res.setHeader(header, value);
  }

  vary(header: string): void {
    const known = this.res.getHeader('Vary');
    if (known === undefined) this.res.setHeader('Vary', header);
    else if (!String(known).split(', ').includes(header)) this.res.setHeader('Vary', `${String(known)}, ${header}`);
  }

  /** Sends the body, unless a step has already answered on `res`: a string as it is, anything else as JSON. */
  send(): void {
    if (!this.respond) return;
    const isText = typeof this.body === 'string';
    const text = isText ? String(this.body) : JSON.stringify(this.body ?? null);
    if (this.type === '') this.type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
    this.res.setHeader('Content-Length', Buffer.byteLength(text));
    endTogether(() => this.res.end(text));
  }

  /** The first value of a proxy's `X-Forwarded-` header; empty when no proxy is trusted or it sends none. */
  #forwarded(header: string): string {
    return this.#trustProxy ? (this.get(header).split(',')[0] ?? '').trim() : '';
  }
}

const noQuery = {};

/** The path of a request, without its query. */
function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}
