import { approvalAsJson } from '#adapters/contracts/approval-json.ts';
import type { Content, ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { type ConformedContent, conformToSchema, wholeMismatch } from '#adapters/mcp/results/schema-mismatches.ts';
import { isTextOnly, type ResultForm } from '#adapters/mcp/results/sent-once.ts';
import { type BoundedJson, type Limit, noPages, truncateJson, truncateText } from '#adapters/mcp/results/truncate.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import { isObject, withChangedMembers } from '#domain/json/json-data.ts';
import { withoutChoice } from '#domain/operations/input-error.ts';
import {
  type Failure,
  type FailureReason,
  type Outcome,
  type Success,
  type TextPart,
  waitAfter,
} from '#domain/operations/outcome.ts';
import { isWithinTokens } from '#domain/text/estimate-tokens.ts';

/** The advice to the model for each failure: whether retrying can help, and what to do instead. */
const advice: Readonly<Record<FailureReason, Readonly<{ retryable: boolean; hint: string }>>> = {
  invalid_input: { retryable: false, hint: 'Correct the arguments by the input schema and call again.' },
  not_connected: { retryable: false, hint: 'Ask the user to connect the service at connectUrl, then call again.' },
  forbidden: { retryable: false, hint: 'Do not try again: a person has to grant the right first.' },
  unauthorized: {
    retryable: false,
    hint: 'Ask the user to reconnect the service at connectUrl, then call again.',
  },
  not_found: { retryable: false, hint: 'Check the id or path; a list or search tool shows what there is.' },
  gone: { retryable: false, hint: 'It was deleted; a list or search tool shows what is left.' },
  conflict: { retryable: false, hint: 'Read the present state first, then decide what to change.' },
  rate_limited: { retryable: true, hint: 'Wait before calling again.' },
  rejected: { retryable: false, hint: 'The service refused this; change the request by what it said.' },
  unavailable: { retryable: true, hint: 'Try again later; after a write, read first whether it took effect.' },
  too_large: { retryable: false, hint: 'Ask for less: a smaller page, fewer fields, a narrower search.' },
  approval_required: {
    retryable: false,
    hint: 'Give the user the address. When they have allowed it, it is done; call again with `approval` to get the outcome.',
  },
  declined: { retryable: false, hint: 'Ask the user what to do instead.' },
  expired: { retryable: false, hint: 'Call again without `approval`, and ask the user to decide.' },
};

type Members = Readonly<Record<string, unknown>>;

/** The maximum length of a provider's text passed on with a failure, in tokens. */
const maxDetails = 1000;

/** The maximum length of an input's errors as JSON, in tokens. */
const maxInputErrors = 5000;

/**
 * How an outcome is shown. `output` is the operation's documented output: with it every success has structured content
 * that conforms to its schema. `connectUrl` is included where the connection caused the failure, `address` (of the REST
 * route for the same call) where a success was truncated.
 */
export type Showing = Readonly<{
  connectUrl: string;
  limit: Limit;
  output?: OperationOutput | null;
  /** What the client reads: text and structured content by default. */
  form?: ResultForm | undefined;
  address?: () => string | null;
  /** What the details of a failure are; what the service answered by default. */
  detailsAre?: string;
  /** The advice for failures that are not a service's. */
  hints?: Readonly<Partial<Record<FailureReason, string>>>;
}>;

/** Converts an operation's outcome to a tool's result; all mapping of outcomes and reasons for MCP happens here. */
export function toolResult(outcome: Outcome, showing: Showing): ToolResult {
  return outcome.ok ? ofSuccess(outcome, showing) : ofFailure(outcome, showing);
}

function ofSuccess(success: Success, showing: Showing): ToolResult {
  const { text, truncated, content, notes } = shown(success, showing);
  const part = success.part === undefined ? truncationNote(truncated, showing) : partNote(success.part, text);
  const warnings = success.warnings?.map((warning) => `Warning: ${warning}`) ?? [];
  const structured = content === null ? {} : { structuredContent: content };
  const path = success.path === undefined ? [] : [`Path: ${success.path}`];
  const revision = success.revision === undefined ? [] : [`Revision: ${success.revision}`];
  return {
    content: texts(text, ...part, ...notes, ...warnings, ...path, ...revision),
    ...structured,
  };
}

/**
 * The parts of a success: the text, what was truncated, structured content, and notes on what only the text contains.
 */
type Shown = Readonly<{
  text: string;
  truncated: string | null;
  content: Readonly<Record<string, unknown>> | null;
  notes: readonly string[];
}>;

/**
 * Renders a success: Markdown stays text; a record stays a record; lists are put under `data` beside their
 * `pagination`.
 */
function shown(success: Success, { output = null, limit, form = 'both' }: Showing): Shown {
  const { data, pagination } = success;
  if (data === null || data === undefined) {
    return { text: 'Done.', truncated: null, content: bareContent(success, output), notes: [] };
  }
  if (pagination === undefined && typeof data !== 'object') {
    const { text, truncated } = truncateText(typeof data === 'string' ? data : JSON.stringify(data), limit.maxTokens);
    return { text, truncated, content: bareContent(success, output), notes: mismatchOfAll(data, output) };
  }
  const isRecord = pagination === undefined && !Array.isArray(data);
  const whole = isRecord ? { ...Object(data) } : { data, ...(pagination === undefined ? {} : { pagination }) };
  const ordered = output === null ? whole : membersInOrder(whole, output.contentSchema);
  const { value, text, truncated } = bounded(ordered, limit);
  if (output === null) return { text, truncated, content: value, notes: [] };
  const notes = mismatchOfAll(data, output);
  if (output.kind === 'done' || notes.length > 0) {
    return { text, truncated, content: bareContent(success, output), notes };
  }
  // Structured content that is not sent is not made; what does not conform is mentioned all the same.
  if (isTextOnly(text, form) && output.isMatch(value)) return { text, truncated, content: null, notes: [] };
  return { text, truncated, ...conforming(value, output) };
}

/** Serialises an object to JSON, truncated only if it exceeds the limit: most answers are short. */
function bounded(value: Members, limit: Limit): BoundedJson {
  const text = JSON.stringify(value);
  return isWithinTokens(text, limit.maxTokens) ? { value, text, truncated: null } : truncateJson(value, limit);
}

/** Makes structured content conform to its schema, with notes on what was removed. */
function conforming(content: Members, output: OperationOutput): ConformedContent {
  const mismatches = output.mismatchesIn(content);
  return mismatches.length === 0 ? { content, notes: [] } : conformToSchema(content, mismatches);
}

/** Minimal structured content, for an answer with none of the documented data. */
function bareContent({ pagination }: Success, output: OperationOutput | null): Shown['content'] {
  if (output === null) return null;
  if (output.kind === 'done') return { done: true };
  return output.kind === 'record' ? {} : { data: [], ...(pagination === undefined ? {} : { pagination }) };
}

/** The note for a list where a record is documented, or the reverse; none otherwise. */
function mismatchOfAll(data: unknown, output: OperationOutput | null): readonly string[] {
  if (output === null || output.kind === 'done') return [];
  const isList = output.kind === 'list';
  const fits = typeof data === 'object' && Array.isArray(data) === isList;
  return fits ? [] : [wholeMismatch(data, isList ? 'a list' : 'an object')];
}

/** A failed call as a program catches it: why, what to do, and whether trying again can help. */
export function describedFailure(failure: Failure): Readonly<{ message: string; [member: string]: unknown }> {
  const { reason, message, details, inputErrors, sent } = failure;
  const retryAfterMs = waitAfter(failure);
  const given = inputErrors ?? details;
  return {
    message,
    reason,
    ...advice[reason],
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(reason === 'unavailable' ? { sent } : {}),
    ...(given === undefined ? {} : bounded({ details: given }, { maxTokens: maxDetails, pageInput: noPages }).value),
  };
}

/** Converts a failure that was not caused by a connection to a tool's result. */
export function refused(failure: Failure): ToolResult {
  return ofFailure(failure, { connectUrl: '', output: null });
}

type FailureContext = Pick<Showing, 'connectUrl' | 'output' | 'detailsAre' | 'hints'>;

/**
 * Converts a failure to a result. Members of a failure that share a name with documented ones, such as `details`, are
 * left out of structured content where they do not conform.
 */
function ofFailure(
  failure: Failure,
  { connectUrl, output = null, detailsAre = ofService, hints = {} }: FailureContext,
): ToolResult {
  const { reason, message, details, inputErrors, sent, approval } = failure;
  // Whether a change may have been made; with other reasons the service refused it.
  const isUncertain = reason === 'unavailable';
  const retryAfterMs = waitAfter(failure);
  const { retryable } = advice[reason];
  const hint = hints[reason] ?? advice[reason].hint;
  const given = details === undefined ? null : bounded({ details }, { maxTokens: maxDetails, pageInput: noPages });
  const isOfConnection = reason === 'not_connected' || reason === 'unauthorized';
  const lines = [
    message,
    `reason: ${reason}`,
    `retryable: ${retryable}`,
    ...(retryAfterMs === undefined ? [] : [`retryAfterMs: ${retryAfterMs}`]),
    ...(isUncertain ? [`sent: ${sent}`] : []),
    `hint: ${hint}`,
    ...(approval === undefined ? [] : [`approval: ${approval.id}`, `url: ${approval.url}`]),
    ...(isOfConnection ? [`connectUrl: ${connectUrl}`] : []),
    ...(given === null ? [] : [`${detailsAre}: ${given.text}`]),
  ];
  const content = {
    reason,
    message,
    retryable,
    hint,
    ...(isOfConnection ? { connectUrl } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(isUncertain ? { sent } : {}),
    ...(approval === undefined ? {} : { approval: approvalAsJson(approval) }),
    // The message already contains the input's errors, as sentences.
    ...(inputErrors === undefined
      ? given?.value
      : bounded({ details: inputErrors.map(withoutChoice) }, { maxTokens: maxInputErrors, pageInput: noPages }).value),
  };
  const structuredContent = output === null ? content : conforming(content, output).content;
  return { content: texts(lines.join('\n')), structuredContent, isError: true };
}

const ofService = 'What the service answered, as data';

/** What part of a long text is shown, and how to get the next: it begins where this one ends, however it was cut. */
function partNote({ begin, of }: TextPart, shownText: string): readonly string[] {
  const end = begin + shownText.length;
  const place = `Characters ${begin} to ${end} of ${of}.`;
  if (end < of) return [`[truncated] ${place} Go on with \`from\`: ${end}.`];
  return begin === 0 ? [] : [place];
}

function truncationNote(truncated: string | null, { output, address }: Showing): readonly string[] {
  if (truncated === null) return [];
  const at = output?.kind === 'list' ? null : (address?.() ?? null);
  const whole = at === null ? '' : ` All of it is at ${at}, with the same bearer token.`;
  return [`[truncated] ${truncated}${whole}`];
}

function texts(...parts: readonly string[]): readonly Content[] {
  return parts.map((text) => ({ type: 'text', text }));
}

/**
 * Orders members as the schema declares them, undeclared ones last, so that truncation removes the least relevant ones.
 * Descends only as deep as the schema.
 */
function inOrder(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!isObject(items)) return value;
    const ordered = value.map((item) => inOrder(item, items));
    return ordered.every((item, index) => item === value[index]) ? value : ordered;
  }
  return isObject(value) ? membersInOrder(value, schema) : value;
}

/** Orders the members of an object the same way; most answers come in order, and are not copied. */
function membersInOrder(
  value: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { properties } = schema;
  if (!isObject(properties)) return value;
  const places = placesOf(properties);
  const ordered = withChangedMembers(value, (member, name) =>
    Object.hasOwn(properties, name) ? inOrder(member, properties[name]) : member,
  );
  const placeOf = (name: string): number => places.get(name) ?? places.size;
  let last = 0;
  for (const name of Object.keys(ordered)) {
    const place = placeOf(name);
    if (place < last) return Object.fromEntries(Object.entries(ordered).sort(([a], [b]) => placeOf(a) - placeOf(b)));
    last = place;
  }
  return ordered;
}

/** The places of the members that a schema declares. */
function placesOf(properties: Readonly<Record<string, unknown>>): ReadonlyMap<string, number> {
  const known = declared.get(properties);
  if (known !== undefined) return known;
  const places = new Map(Object.keys(properties).map((name, place) => [name, place]));
  declared.set(properties, places);
  return places;
}

const declared = new WeakMap<object, ReadonlyMap<string, number>>();
