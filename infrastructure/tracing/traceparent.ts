/** The members of a `traceparent` (W3C Trace Context, §3.2): the ids in lower-case hexadecimal, and the flags. */
export type ParsedTraceparent = Readonly<{ traceId: string; spanId: string; traceFlags: number }>;

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent`; null for any other text. A later version than 00 may have more behind the flags. */
export function parseTraceparent(text: string | null | undefined): ParsedTraceparent | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text?.slice(0, 200) ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

/** Writes a `traceparent` of version 00. */
export function formatTraceparent({ traceId, spanId, traceFlags }: ParsedTraceparent): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;
}
