import { z } from 'zod';
import { type LiveCheck, limitHeaders } from '#adapters/services/credentials/live-check.ts';

const mutations = z.object({
  data: z.object({
    __type: z.object({ fields: z.array(z.object({ name: z.string(), isDeprecated: z.boolean().optional() })) }),
  }),
});

/** What Linear's schema leaves open. */
export const linearChecks: readonly LiveCheck[] = [
  limitHeaders({ path: '/graphql', document: 'query { viewer { id } }' }),
  {
    question: 'Does it still have projectArchive, in place of which projects are deleted?',
    ask: async (ask) => {
      const document = 'query { __type(name: "Mutation") { fields(includeDeprecated: true) { name isDeprecated } } }';
      const { status, body } = await ask({ path: '/graphql', document });
      const fields = mutations.safeParse(body).data?.data.__type.fields;
      if (fields === undefined) return `unknown: it does not describe its mutations (it answered ${status})`;
      const archive = fields.find(({ name }) => name === 'projectArchive');
      return archive === undefined ? 'no' : archive.isDeprecated === true ? 'yes, deprecated' : 'yes';
    },
  },
];
