import type { Attributes, Context, Link, Span, Tracer } from '@opentelemetry/api';
import { formatTraceparent, parseTraceparent } from '#infrastructure/tracing/traceparent.ts';

/** OpenTelemetry's API as a module, which is loaded only when something exports spans. */
type TracingApi = typeof import('@opentelemetry/api');

type Start = Readonly<{
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  attributes: Attributes;
  parent?: string | null;
}>;
type Opened = Readonly<{ set(attributes: Attributes): void; fail(reason: string): void }>;

/** Creates spans with the SDK that is registered with OpenTelemetry's API. */
export class OpenTelemetryTracer {
  readonly #api: TracingApi;
  readonly #tracer: Tracer;

  constructor(api: TracingApi, version: string) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('portolan', version);
  }

  /** Runs the work within a span. A remote parent is continued, and the active span is then linked. */
  span<Value>({ name, kind, attributes, parent = null }: Start, run: (span: Opened) => Promise<Value>): Promise<Value> {
    const { SpanKind, context } = this.#api;
    const kinds = {
      server: SpanKind.SERVER,
      client: SpanKind.CLIENT,
      consumer: SpanKind.CONSUMER,
      internal: SpanKind.INTERNAL,
    };
    const { within, links } = this.#placeOf(parent);
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes }, links }, within);
    return context.with(this.#api.trace.setSpan(within, span), () => this.#ended(span, run));
  }

  /** Returns the `traceparent` of the active span; null when there is none. */
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
      // The message may quote user content, so only the error's class is recorded.
      fail(error instanceof Error ? error.name : 'thrown');
      throw error;
    } finally {
      span.end();
    }
  }
}
