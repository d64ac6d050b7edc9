import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { fileInput } from '#adapters/services/requests/file-input.ts';
import type { InputOf, RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { notReady } from '#adapters/services/signing/answers.ts';
import { documentFileFault } from '#adapters/services/signing/inputs/document-file.ts';
import { fileDocument, newDocument, sending } from '#adapters/services/signing/inputs/records.ts';
import { documentId, settableState, templateId } from '#adapters/services/signing/inputs.ts';
import { notNotified } from '#adapters/services/signing/operations/documents.ts';
import { oneDocument, sentDocument, templateWithRoles } from '#adapters/services/signing/outputs.ts';
import { rows } from '#adapters/services/signing/rows.ts';
import { type Failure, type FailureReason, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import {
  type DocumentAction,
  type DocumentState,
  documentStateOf,
  isBeingCreated,
  stateConflictOf,
} from '#domain/signing/document-state.ts';
import { listed } from '#domain/text/listed.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const recipe = recipesOver(rows);

type Rows = typeof rows;
type Call = <Name extends Extract<keyof Rows, string>>(name: Name, input: InputOf<Rows, Name>) => Promise<Outcome>;

/** How recipes wait: a pause function, and a clock in Unix ms. */
export type Waiting = Readonly<{ now(): number; pause(ms: number, signal?: AbortSignal): Promise<void> }>;

/** Waits in real time. */
export const realWaiting: Waiting = {
  now: Date.now,
  pause: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};

const id = documentId;
const documentAnswer = z.looseObject({ id: z.string(), status: z.string() });

/** The maximum time that a tool waits for a document, in seconds. */
const maxWaitS = 60;
/** The maximum pause between polls: with it a sandbox key's 10 requests per minute suffice for the longest wait. */
const maxPauseMs = 8_000;

/** Reads the document's current state; null when it is not one we know, a failure when it cannot be read. */
async function stateNow(call: Call, document: string): Promise<Outcome<DocumentState | null>> {
  const outcome = await call('documents.get', { id: document });
  if (!outcome.ok) return outcome;
  return succeeded(documentStateOf(documentAnswer.safeParse(outcome.data).data?.status));
}

const explainable: readonly FailureReason[] = ['conflict', 'rejected', 'forbidden'];

/** Explains a failure by the document's state, if that is the cause; else returns it unchanged. */
async function explained(call: Call, rejection: Failure, document: string, action: DocumentAction): Promise<Outcome> {
  if (!explainable.includes(rejection.reason)) return rejection;
  const state = await stateNow(call, document);
  const why = state.ok && state.data !== null ? stateConflictOf(action, state.data) : null;
  return why === null ? rejection : failed('conflict', why, { details: { state: state.ok ? state.data : null } });
}

const rolesSchema = z.looseObject({ roles: z.array(z.looseObject({ name: z.string() })) });

/** Adds the template's roles to a failure, since wrong recipient roles are the most common error. */
async function withRoles(call: Call, rejection: Failure, template: string | undefined): Promise<Outcome> {
  if (template === undefined || !['invalid_input', 'rejected'].includes(rejection.reason)) return rejection;
  const details = await call('templates.details', { id: template });
  const read = details.ok ? details : await call('templates.get', { id: template });
  const roles = read.ok ? (rolesSchema.safeParse(read.data).data?.roles ?? []) : [];
  if (roles.length === 0) return rejection;
  const names = listed(roles.slice(0, maxRoles).map(({ name }) => `"${name}"`));
  return { ...rejection, message: `${rejection.message} The template has the roles ${names}.` };
}

/** The maximum number of roles in a failure's message. */
const maxRoles = 20;

/** Polls a new document until it is ready, or until `untilMs`. */
async function untilMade(
  call: Call,
  made: z.output<typeof documentAnswer>,
  untilMs: number,
  { waiting: { now, pause }, context: { signal, onProgress } }: Readonly<{ waiting: Waiting; context: RecipeContext }>,
): Promise<Outcome> {
  const startedMs = now();
  const total = Math.ceil((untilMs - startedMs) / 1000);
  for (let pauseMs = 1_000; now() < untilMs; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    onProgress?.({ done: Math.round((now() - startedMs) / 1000), total, message: 'The document is being made' });
    const isCancelled = await pause(Math.min(pauseMs, untilMs - now()), signal).then(
      () => false,
      () => true,
    );
    if (isCancelled) break;
    const outcome = await call('documents.get', { id: made.id });
    if (!outcome.ok && outcome.reason !== 'rate_limited') {
      return { ...succeeded(made), warnings: [notReady, `Its state could not be read: ${outcome.message}`] };
    }
    const seen = outcome.ok ? documentAnswer.safeParse(outcome.data) : undefined;
    const state = documentStateOf(seen?.data?.status);
    if (state === 'error') {
      return failed('rejected', 'The signing service took the document in, but could not make it.', {
        details: seen?.data,
      });
    }
    if (seen?.success === true && state !== null && !isBeingCreated(state)) return succeeded({ ...made, ...seen.data });
  }
  return { ...succeeded(made), warnings: [notReady] };
}

type Making = Readonly<{ untilMs: number; waiting: Waiting; context: RecipeContext }>;

/** Creates a document, and polls it until it is ready, or until `untilMs`. */
async function created(
  call: Call,
  input: InputOf<Rows, 'documents.create'>,
  { untilMs, ...making }: Making,
): Promise<Outcome> {
  const outcome = await call('documents.create', input);
  if (!outcome.ok) return withRoles(call, outcome, input.template_uuid);
  const made = documentAnswer.safeParse(outcome.data);
  if (!made.success) return outcome;
  const state = documentStateOf(made.data.status);
  return state !== null && !isBeingCreated(state) ? outcome : untilMade(call, made.data, untilMs, making);
}

const wait = z
  .number()
  .int()
  .min(0)
  .max(maxWaitS)
  .default(0)
  .describe(`Seconds to wait until the document is a draft, at most ${maxWaitS}; 0, the default, answers at once`)
  .meta(inLists(`Seconds to wait for the draft, at most ${maxWaitS}`));

/** Tools that take several requests (TOOL-001). `waiting` is replaced in tests. */
export const signingRecipes = (waiting: Waiting = realWaiting) =>
  ({
    'documents.create_ready': recipe(
      'add',
      'Creates a document from a template or from a PDF; it becomes a draft within seconds (see `wait`). Nothing is sent before signing_document_send. Template ids come from signing_templates_list',
      {
        ...newDocument,
        wait,
      },
      { tool: 'signing_document_create', standsFor: ['documents.create'], output: oneDocument },
      async (call, { wait: seconds, ...input }, context) => {
        if (input.template_uuid === undefined && input.url === undefined) {
          return failed(
            'invalid_input',
            'A document is made from a template or from a PDF: give `template_uuid` or `url`; of a file use signing_document_from_file.',
          );
        }
        return created(call, input, { untilMs: waiting.now() + seconds * 1000, waiting, context });
      },
    ),

    'documents.from_file': recipe(
      'add',
      'Creates a document from a PDF or Markdown file, of the vault or as bytes; a draft within seconds. Nothing is sent before signing_document_send',
      { file: fileInput, ...fileDocument, wait },
      {
        tool: 'signing_document_from_file',
        standsFor: ['documents.create'],
        title: 'Creates a document from a file',
        output: oneDocument,
        multipart: 'file',
      },
      async (call, { wait: seconds, ...input }, context) => {
        const fault = documentFileFault(input.file);
        return fault === null
          ? created(call, input, { untilMs: waiting.now() + seconds * 1000, waiting, context })
          : failed('invalid_input', fault);
      },
    ),

    'templates.read': recipe(
      'read',
      'Gets a template: its name, status and dates, and the roles of recipients for signing_document_create. Ids come from signing_templates_list',
      { id: templateId },
      { tool: 'signing_template_get', output: templateWithRoles, route: { method: 'GET', path: '/templates/{id}' } },
      async (call, { id: template }) => {
        const outcome = await call('templates.get', { id: template });
        const found = outcome.ok ? z.looseObject({}).safeParse(outcome.data) : null;
        if (!outcome.ok || found?.success !== true || found.data['roles'] !== undefined) return outcome;
        const details = await call('templates.details', { id: template });
        if (details.ok)
          return succeeded({ ...found.data, roles: rolesSchema.safeParse(details.data).data?.roles ?? [] });
        // The neutral dialect has no details endpoint.
        return details.reason === 'rejected'
          ? outcome
          : { ...outcome, warnings: [`Its roles could not be read: ${details.message}`] };
      },
    ),

    'documents.send_draft': recipe(
      'reach',
      'Sends a document to its recipients; only drafts can be sent; an error names the current status. Ids come from signing_documents_list and signing_document_create',
      { id, ...sending },
      { tool: 'signing_document_send', standsFor: ['documents.send'], output: sentDocument },
      async (call, input) => {
        const outcome = await call('documents.send', input);
        return outcome.ok ? outcome : explained(call, outcome, input.id, 'send');
      },
    ),

    'documents.status': recipe(
      'reach',
      'Gets or sets the status of a document; without `status` returns it, with one sets it by hand, without signatures',
      {
        id,
        status: settableState.optional().describe('Status to set; omit it to get the current one'),
        note: z.string().optional().describe('Private note on the reason, when setting a status'),
        notify_recipients: z.boolean().optional().describe('Whether to notify the recipients, when setting a status'),
      },
      {
        tool: 'signing_document_status',
        standsFor: ['documents.set_status'],
        output: oneDocument,
        isIdempotent: true,
        effectBy: [{ when: { status: 'absent' }, effect: 'read' }, ...notNotified],
      },
      async (call, { status, ...input }) => {
        if (status === undefined) return call('documents.get', { id: input.id });
        const outcome = await call('documents.set_status', { ...input, status });
        if (!outcome.ok) return explained(call, outcome, input.id, `set ${status}`);
        return outcome.data === null ? succeeded({ id: input.id, status: `document.${status}` }) : outcome;
      },
    ),
  }) as const;
