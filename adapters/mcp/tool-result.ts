import { fitJson, fitText } from '#adapters/mcp/fit.ts';
import type { Content, ToolResult } from '#adapters/mcp/tool.ts';
import type { Failure, FailureReason, Outcome, Success } from '#domain/operations/outcome.ts';

/** What a model should do about a failure: whether the same call can work later, and what to do instead. */
const advice: Readonly<Record<FailureReason, Readonly<{ retryable: boolean; hint: string }>>> = {
  invalid_input: { retryable: false, hint: 'Correct the arguments by the input schema and call again.' },
  not_connected: { retryable: false, hint: 'Ask the user to connect the service at connectUrl, then call again.' },
  forbidden: { retryable: false, hint: 'Do not try again: a person has to grant the right first.' },
  unauthorized: {
    retryable: false,
    hint: 'Ask the user to connect the service anew at connectUrl, then call again.',
  },
  not_found: { retryable: false, hint: 'Check the id or path; a list or search tool shows what there is.' },
  gone: { retryable: false, hint: 'It was deleted; a list or search tool shows what is left.' },
  conflict: { retryable: false, hint: 'Read the present state first, then decide what to change.' },
  rate_limited: { retryable: true, hint: 'Wait before calling again.' },
  rejected: { retryable: false, hint: 'The service refused this; change the request by what it said.' },
  unavailable: { retryable: true, hint: 'Try again later; after a write, read first whether it took effect.' },
  too_large: { retryable: false, hint: 'Ask for less: a smaller page, fewer fields, a narrower search.' },
};

/** The longest text of a provider that is handed on with a failure. */
const longestDetails = 4000;

/**
 * An operation's outcome as a tool's result. All mapping of outcomes and reasons for MCP is here. `connectUrl` is told where the
 * connection is the cause.
 */
export function toolResult(outcome: Outcome, connectUrl: string): ToolResult {
  return outcome.ok ? ofSuccess(outcome) : ofFailure(outcome, connectUrl);
}

/** Markdown stays text; a record stays a record; lists stand under `data` beside their `pagination`. */
function ofSuccess({ data, pagination, warnings = [] }: Success): ToolResult {
  const notes = warnings.map((warning) => `Warning: ${warning}`);
  if (data === null || data === undefined) return { content: texts('Done.', ...notes) };
  if (pagination === undefined && typeof data !== 'object') {
    const { text, truncated } = fitText(typeof data === 'string' ? data : JSON.stringify(data));
    return { content: texts(text, ...truncationNote(truncated), ...notes) };
  }
  const isRecord = pagination === undefined && !Array.isArray(data);
  const fitted = fitJson(
    isRecord ? { ...Object(data) } : { data, ...(pagination === undefined ? {} : { pagination }) },
  );
  const content = texts(fitted.text, ...truncationNote(fitted.truncated), ...notes);
  return fitted.value === null ? { content } : { content, structuredContent: fitted.value };
}

/** A failure that no connection is the cause of, as a tool's result. */
export function refused(failure: Failure): ToolResult {
  return ofFailure(failure, '');
}

function ofFailure({ reason, message, retryAfterMs, details }: Failure, connectUrl: string): ToolResult {
  const { retryable, hint } = advice[reason];
  const given = details === undefined ? null : fitJson({ details }, longestDetails);
  const isOfConnection = reason === 'not_connected' || reason === 'unauthorized';
  const lines = [
    message,
    `reason: ${reason}`,
    `retryable: ${retryable}`,
    ...(retryAfterMs === undefined ? [] : [`retryAfterMs: ${retryAfterMs}`]),
    `hint: ${hint}`,
    ...(isOfConnection ? [`connectUrl: ${connectUrl}`] : []),
    ...(given === null ? [] : [`What the service answered, as data: ${given.text}`]),
  ];
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return {
    content: texts(lines.join('\n')),
    structuredContent: {
      reason,
      message,
      retryable,
      hint,
      ...(isOfConnection ? { connectUrl } : {}),
      ...wait,
      ...given?.value,
    },
    isError: true,
  };
}

function truncationNote(truncated: string | null): readonly string[] {
  return truncated === null ? [] : [`[truncated] ${truncated}`];
}

function texts(...parts: readonly string[]): readonly Content[] {
  return parts.map((text) => ({ type: 'text', text }));
}
