/** The members of a `traceparent` (W3C Trace Context, §3.2): lower-case hexadecimal ids, and the flags. */
type ParsedTraceparent = Readonly<{ traceId: string; spanId: string; traceFlags: number }>;

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent`; null for any other text. Versions after 00 may append more fields. */
export function parseTraceparent(text: string | null | undefined): ParsedTraceparent | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text?.slice(0, 200) ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

/** Formats a `traceparent` of version 00. */
export function formatTraceparent({ traceId, spanId, traceFlags }: ParsedTraceparent): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;
}
