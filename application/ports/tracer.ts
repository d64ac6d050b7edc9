/** A span's attributes: no personal data, no secrets, and external text only with bounded values. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Describes a span to start. `parent` is the `traceparent` (W3C Trace Context) of its remote or stored parent; when
 * null or malformed, the active span is the parent.
 */
export type SpanStart = Readonly<{
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  attributes: SpanAttributes;
  parent?: string | null;
}>;

/** A span that has not ended. */
export interface OpenSpan {
  /** Adds attributes. */
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, with a short reason. */
  fail(reason: string): void;
}

/** Records the server's work as spans of traces. */
export interface Tracer {
  /** Runs the work within a span, which ends with it; an error marks the span as failed and is rethrown. */
  span<Value>(start: SpanStart, run: (span: OpenSpan) => Promise<Value>): Promise<Value>;
  /** Returns the `traceparent` of the active span; null when there is none. */
  traceparent(): string | null;
}
