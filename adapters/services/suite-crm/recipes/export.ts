import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { module } from '#adapters/services/suite-crm/inputs.ts';
import { unpacked } from '#adapters/services/suite-crm/recipes/unpacked.ts';
import { rows } from '#adapters/services/suite-crm/rows.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** How the recipe waits: pauses that reject when ended early, and a clock in Unix ms. */
export type Waiting = Readonly<{ now(): number; pause(ms: number, signal?: AbortSignal): Promise<void> }>;

const realWaiting: Waiting = {
  now: Date.now,
  pause: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};

const recipe = recipesOver(rows);
const { fields, criteria, cvid, page } = rows['bulk.create'].input.shape.query.shape;

const created = z.looseObject({ id: z.union([z.string(), z.number().transform(String)]) });
const jobSchema = z.looseObject({ state: z.string() });

/** The maximum and the default time to wait for an export, in seconds. */
const maxWaitS = 3_600;
const usualWaitS = 600;
const firstPauseMs = 1_000;
/** The maximum pause between polls: an export of 200,000 records takes minutes, and each poll costs a credit. */
const maxPauseMs = 15_000;

/**
 * Runs an export from its request to its file, in one call. Reports progress while it waits. A caller that cancels, or
 * whose wait ends too early, gets the job's id, with which the result can be fetched later. `waiting` is replaced in
 * tests.
 */
export const exportRecipe = (waiting: Waiting = realWaiting) =>
  recipe(
    'read',
    'Exports up to 200,000 records of a module as CSV: starts the job, waits until it is done, and downloads the result',
    {
      module,
      fields,
      criteria,
      cvid,
      page,
      wait: z
        .number()
        .int()
        .min(0)
        .max(maxWaitS)
        .default(usualWaitS)
        .describe(`Seconds to wait for the job, at most ${maxWaitS}; ${usualWaitS} by default`),
    },
    { answer: 'file', route: { method: 'POST', path: '/bulk/export' } },
    async (call, { module: name, wait, ...chosen }, { signal, onProgress }) => {
      const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
      const begun = await call('bulk.create', { query: { module: { api_name: name }, ...given } });
      if (!begun.ok) return begun;
      const job = jobIn(begun.data);
      if (job === null) return failed('unavailable', 'The suite CRM accepted the export but returned no job id.');
      const look = () => call('bulk.get', { job_id: job });
      const failure = await untilDone({ look, job, waitMs: wait * 1000, waiting, signal, onProgress });
      if (failure !== null) return failure;
      const packed = await call('bulk.packed', { job_id: job });
      return packed.ok && isFileContent(packed.data) ? succeeded(unpacked(packed.data, job)) : packed;
    },
  );

type Watch = Readonly<{
  look: () => Promise<Outcome>;
  job: string;
  waitMs: number;
  waiting: Waiting;
  signal: AbortSignal | undefined;
  onProgress: Parameters<ReturnType<typeof exportRecipe>['run']>[2]['onProgress'];
}>;

/** Polls a job until it is done, and returns null, or why there is no result. */
async function untilDone({ look, job, waitMs, waiting, signal, onProgress }: Watch): Promise<Failure | null> {
  const startedMs = waiting.now();
  const passedMs = () => waiting.now() - startedMs;
  const isCancelled = () => signal?.aborted === true;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    const outcome = await look();
    const state = outcome.ok ? (jobSchema.safeParse(outcome.data).data?.state ?? 'unknown') : null;
    if (state === 'COMPLETED') return null;
    if (state === 'FAILURE' || state === 'FAILED') {
      const details = outcome.ok ? outcome.data : {};
      return failed('rejected', `The suite CRM could not make the export ${job}.`, { details });
    }
    const isPassing = outcome.ok || outcome.reason === 'rate_limited' || outcome.reason === 'unavailable';
    if (!isPassing) return outcome;
    if (isCancelled()) return unfinished('The export was cancelled here', job);
    if (passedMs() >= waitMs) return unfinished('The export is not done yet', job);
    const message = `The export is ${(state ?? 'being made').toLowerCase()}`;
    onProgress?.({ done: Math.round(passedMs() / 1000), total: Math.ceil(waitMs / 1000), message });
    // A pause that is cut short ends the wait after one more poll.
    await waiting.pause(Math.min(pauseMs, waitMs - passedMs()), signal).catch(() => undefined);
  }
}

function unfinished(what: string, job: string): Failure {
  const message = `${what}; the suite CRM continues it. Get its result later by the id of its job, ${job}.`;
  return failed('conflict', message, { retryAfterMs: maxPauseMs, details: { job_id: job } });
}

/** The job's id, from the single result of the answer. */
function jobIn(data: unknown): string | null {
  const one =
    created.safeParse(data).data ?? z.tuple([z.looseObject({ details: created })]).safeParse(data).data?.[0]?.details;
  return one?.id ?? null;
}
