import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { parsed } from '#adapters/services/answers/read-answers.ts';
import type { VendorRecipe } from '#adapters/services/definitions/vendor-operations.ts';
import { get, post } from '#adapters/services/requests/request-rows.ts';
import { id, leadId } from '#adapters/services/sales-crm/inputs.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

const conversion = z.string().min(1);

/** The requests of a conversion, which Pipedrive does in the background. */
export const conversions = {
  convert: post('/api/v2/leads/{id}/convert/deal', 'Begins a conversion', {
    id: leadId,
    stage_id: id('stage').optional(),
    pipeline_id: id('pipeline').optional(),
  }),
  converted: get('/api/v2/leads/{id}/convert/status/{conversion_id}', 'Gets the status of a conversion', {
    id: leadId,
    conversion_id: conversion,
  }),
} as const;

const begunSchema = z.object({ conversion_id: conversion });
const statusSchema = z.object({ status: z.string(), deal_id: z.number().nullish() });

/** The pauses before the status is asked for, in ms. */
const pausesMs = [0, 500, 1_000, 2_000, 3_000];

type Input = Readonly<{ id: string; stage_id?: number | undefined; pipeline_id?: number | undefined }>;

/** Converts a lead, and waits a few seconds for the deal that it becomes. */
export const convertLead: VendorRecipe<Input, typeof conversions> = async (
  send,
  { id: lead, stage_id, pipeline_id },
  { signal },
) => {
  const begun = parsed(await send('convert', { id: lead, stage_id, pipeline_id }), begunSchema);
  if (!begun.ok) return begun;
  const { conversion_id } = begun.data;
  for (const ms of pausesMs) {
    const isCancelled = await delay(ms, false, signal === undefined ? {} : { signal }).catch(() => true);
    if (isCancelled) break;
    const outcome: Outcome<z.output<typeof statusSchema>> = parsed(
      await send('converted', { id: lead, conversion_id }),
      statusSchema,
    );
    if (!outcome.ok) return { ...succeeded({ conversion_id }), warnings: [`${unknown} ${outcome.message}`] };
    const { status, deal_id } = outcome.data;
    if (status === 'completed') return succeeded({ deal_id, conversion_id, status });
    if (status === 'failed' || status === 'rejected') {
      return failed('rejected', `Pipedrive did not convert the lead: ${status}.`, { sent: 'yes' });
    }
  }
  return { ...succeeded({ conversion_id, status: 'running' }), warnings: [unknown] };
};

const unknown = 'The lead is being converted; its deal is not known yet. Find it with sales_crm_search.';
