import { z } from 'zod';
import { unknownNamed } from '#adapters/services/answers/name-lookup.ts';
import type { ExplainMissing } from '#adapters/services/definitions/provider.ts';

const refused = z.object({ code: z.literal('INVALID_MODULE') });
const moduleList = z.array(
  z.object({ api_name: z.string(), plural_label: z.string().nullish(), singular_label: z.string().nullish() }),
);

/** Explains a module that is not there: with the modules that there are, by their API names. */
export const explainMissing: ExplainMissing = async ({ input, failure }, { call }) => {
  const { module } = input;
  if (typeof module !== 'string' || !refused.safeParse(failure.details).success) return null;
  const listed = await call('modules.list', {});
  const modules = listed.ok ? (moduleList.safeParse(listed.data).data ?? []) : [];
  const candidates = modules.map(({ api_name: name }) => ({ id: name, called: [name], shown: name }));
  const explained = unknownNamed({ input: 'module', title: 'module', plural: 'modules', name: module }, { candidates });
  return { ...explained, reason: failure.reason };
};
