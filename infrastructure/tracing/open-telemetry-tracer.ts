import type { Attributes, Context, Link, Span, Tracer } from '@opentelemetry/api';
import { formatTraceparent, parseTraceparent } from '#infrastructure/tracing/traceparent.ts';

/** OpenTelemetry's API as a module: it is loaded only where something takes its spans. */
export type TracingApi = typeof import('@opentelemetry/api');

type Start = Readonly<{
  name: string;
  kind: 'server' | 'client' | 'consumer';
  attributes: Attributes;
  parent?: string | null;
}>;
type Opened = Readonly<{ set(attributes: Attributes): void; fail(reason: string): void }>;

/** Gives spans to whatever SDK is registered with OpenTelemetry's API. */
export class OpenTelemetryTracer {
  readonly #api: TracingApi;
  readonly #tracer: Tracer;

  constructor(api: TracingApi, version: string) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('portolan', version);
  }

  /** Runs the work within a span. A parent from outside is continued; what is under way here is then linked. */
  span<Value>({ name, kind, attributes, parent = null }: Start, run: (span: Opened) => Promise<Value>): Promise<Value> {
    const { SpanKind, context } = this.#api;
    const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
    const { within, links } = this.#placeOf(parent);
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes }, links }, within);
    return context.with(this.#api.trace.setSpan(within, span), () => this.#ended(span, run));
  }

  /** The `traceparent` of the span under way; null when there is none. */
  traceparent(): string | null {
    const under = this.#api.trace.getActiveSpan()?.spanContext();
    return under === undefined || !this.#api.isSpanContextValid(under) ? null : formatTraceparent(under);
  }

  #placeOf(parent: string | null): Readonly<{ within: Context; links: Link[] }> {
    const { context, trace } = this.#api;
    const active = context.active();
    const remote = parseTraceparent(parent);
    if (remote === null) return { within: active, links: [] };
    const under = trace.getSpanContext(active);
    const links = under === undefined || under.traceId === remote.traceId ? [] : [{ context: under }];
    return { within: trace.setSpanContext(active, { ...remote, isRemote: true }), links };
  }

  async #ended<Value>(span: Span, run: (span: Opened) => Promise<Value>): Promise<Value> {
    const fail = (reason: string): void => {
      span.setAttribute('error.type', reason);
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    };
    try {
      return await run({ set: (attributes) => void span.setAttributes({ ...attributes }), fail });
    } catch (error) {
      // The message may quote what people wrote: only the error's class is told.
      fail(error instanceof Error ? error.name : 'thrown');
      throw error;
    } finally {
      span.end();
    }
  }
}
