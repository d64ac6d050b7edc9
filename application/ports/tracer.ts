/** Facts about a span: no personal data, no secrets, no text from outside that is not bounded. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * What is traced, and on whose side. `parent` is the `traceparent` (W3C Trace Context) of what led to it, from outside or
 * from before: null or malformed counts as none, and then it belongs to what is under way.
 */
export type SpanStart = Readonly<{
  name: string;
  kind: 'server' | 'client' | 'consumer';
  attributes: SpanAttributes;
  parent?: string | null;
}>;

/** A span that is under way. */
export interface OpenSpan {
  /** Adds attributes. */
  set(attributes: SpanAttributes): void;
  /** Marks it as failed, with a word for why. */
  fail(reason: string): void;
}

/** Records what the server does as spans of traces. */
export interface Tracer {
  /** Runs the work within a span, which ends with it; what is thrown marks the span as failed, and is thrown on. */
  span<Value>(start: SpanStart, run: (span: OpenSpan) => Promise<Value>): Promise<Value>;
  /** The `traceparent` of the span that is under way; null when there is none. */
  traceparent(): string | null;
}
