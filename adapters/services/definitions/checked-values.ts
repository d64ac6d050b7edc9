import { z } from 'zod';
import { schemaErrors } from '#adapters/input/check-input.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { errorsText } from '#domain/operations/input-error.ts';
import { failureReasons } from '#domain/operations/outcome.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';

const verified = z.looseObject({ deliveryId: z.string().nullable(), secret: z.int().min(0) });
const parts = z.array(z.looseObject({ name: z.string(), orderKey: z.string().nullable() })).min(1);
/** Made once, as all of them: making a schema takes far longer than checking a value. */
const isResult = z.looseObject({ ok: z.boolean() });
const failure = z.looseObject({ reason: z.string() });
const callFailure = z.looseObject({ reason: z.enum(failureReasons), message: z.string() });
const recordOf = (service: z.ZodType) => z.looseObject({ service, kind: z.string().min(1), id: z.string().min(1) });
const steps = z
  .array(z.looseObject({ do: z.enum(['note', 'push', 'write', 'call', 'tell']), record: recordOf(z.string()) }))
  .nullable();

/**
 * Checks what a service's webhook source returns, which may be written in JavaScript: an event without a name would
 * otherwise be taken for one that nobody reacts to. Throws with the place of what does not fit.
 */
export function checkedSource(source: WebhookSource, service: ServiceKey): WebhookSource {
  const methods = ['verify', 'parts', 'read'].filter((name) => typeof Reflect.get(source, name) !== 'function');
  if (source.fetch !== undefined && typeof source.fetch !== 'function') methods.push('fetch');
  if (methods.length > 0) throw new Error(`The webhook source of ${service} has no ${methods.join('(), ')}().`);
  if (source.service !== service) {
    throw new Error(`The webhook source of ${service} has the service ${JSON.stringify(source.service)}.`);
  }
  const event = z.looseObject({
    service: z.literal(service),
    name: z.string().min(1),
    record: recordOf(z.literal(service)),
    occurredAt: z.number(),
  });
  const at = (method: string): string => `${method}() of the webhook source of ${service}`;
  const fetch = source.fetch?.bind(source);
  return {
    service,
    verify: (delivery, now) => checkedResult(source.verify(delivery, now), verified, at('verify')),
    parts: (body) => fitting(source.parts(body), parts, at('parts')),
    read: (part, receivedAt) => checkedResult(source.read(part, receivedAt), event, at('read')),
    ...(fetch === undefined
      ? {}
      : { fetch: async (...about) => checkedResult(await fetch(...about), event, at('fetch'), callFailure) }),
  };
}

/** Checks the steps that a reaction returns. */
export function checkedReaction(reaction: Reaction, place: string): Reaction {
  const react: Reaction = (event, surroundings) => fitting(reaction(event, surroundings), steps, place);
  return reaction.concern === undefined ? react : Object.assign(react, { concern: reaction.concern });
}

function checkedResult<Returned extends Result<unknown, unknown>>(
  result: Returned,
  type: z.ZodType,
  place: string,
  failureType: z.ZodType = failure,
): Returned {
  const returned = fitting(result, isResult, place);
  if (returned.ok) fitting(returned.value, type, place);
  else fitting(returned.failure, failureType, place);
  return returned;
}

/** Returns the value; throws if it does not fit. */
function fitting<Value>(value: Value, type: z.ZodType, place: string): Value {
  const errors = schemaErrors(type, value);
  if (errors.length === 0) return value;
  throw new Error(`What ${place} returned does not fit. ${errorsText(errors)}`);
}
