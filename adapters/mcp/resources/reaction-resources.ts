import { pathInUri } from '#adapters/mcp/resources/path-in-uri.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import type { ReactionOutcomes } from '#application/reactions/reaction-outcomes.ts';
import { foldedName } from '#domain/text/folded-name.ts';
import { isLimited, isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

const scheme = 'portolan://reactions/';
const template = 'portolan://reactions/{+path}';
/** The maximum number of reactions that are listed. */
const maxListed = 500;

/** The address of the outcomes of the reaction at this path of the vault. */
export function reactionUri(path: string): string {
  return `${scheme}${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The dependencies of the resources; `isWriter` tells whether the user can write to the vault that holds the reactions.
 */
type ReactionResourcesDependencies = Readonly<{
  outcomes: ReactionOutcomes;
  isWriter: (user: User) => Promise<boolean>;
}>;

/**
 * Offers the outcomes of each reaction as a resource to users who can write reactions; administrators also see the
 * result of a dry run over past deliveries, as on /reactions.
 */
export function reactionResources({ outcomes, isWriter }: ReactionResourcesDependencies): ResourceSource {
  const isOpen = async (user: User) => isPermitted(user, 'vault') && (user.isAdmin || (await isWriter(user)));
  return {
    templates: [
      {
        uriTemplate: template,
        name: 'reaction',
        title: 'Reaction',
        description: 'The outcome of a reaction, or of its dry run, by the path of its note',
        mimeType: 'text/markdown',
      },
    ],
    isShownTo: ({ user }) => isPermitted(user, 'vault'),
    serviceOf: (uri) => (uri.startsWith(scheme) ? 'vault' : null),
    list: async ({ user }) => {
      const paths = (await isOpen(user)) ? outcomes.paths() : [];
      const entries = paths.slice(0, maxListed).map((path) => ({
        uri: reactionUri(path),
        name: `reaction ${path}`,
        title: path,
        description: `The outcome of the reaction ${path}`,
        mimeType: 'text/markdown',
      }));
      return { entries, next: null };
    },
    read: async ({ user }, uri) => {
      const path = pathInUri(uri, scheme);
      if (path === null || !(await isOpen(user))) return null;
      const text = await outcomes.of(path, user.isAdmin && !isLimited(user) ? {} : null);
      return text === null ? null : [{ uri, mimeType: 'text/markdown', text }];
    },
    addressOf: ({ user }, uri) => {
      const path = isPermitted(user, 'vault') ? pathInUri(uri, scheme) : null;
      return path === null ? null : reactionUri(path);
    },
    complete: async ({ user }, uriTemplate, typed) => {
      if (uriTemplate !== template) return null;
      return (await isOpen(user))
        ? outcomes.paths().filter((path) => foldedName(path).includes(foldedName(typed)))
        : [];
    },
  };
}
