import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** The rights of the members of one group. */
export type GroupRights = Readonly<{ group: string; permissions: readonly ServiceKey[]; isAdmin: boolean }>;

type Rights = Pick<User, 'permissions' | 'isAdmin'>;

/** The word for being an administrator, and that for the permissions of all services. */
const administrator = 'administrator';
const everything = 'all';

/**
 * Parses `group=right,right;group=right`; a right is a service key, `all` services, or `administrator`. A group's name
 * ends at its last equals sign, so that it may be a distinguished name. The failure says what is wrong.
 */
export function readGroupRights(
  text: string,
  services: readonly ServiceKey[],
): Result<readonly GroupRights[], Readonly<{ reason: 'invalid_rights'; message: string }>> {
  const rules: GroupRights[] = [];
  for (const part of text.split(';').map((each) => each.trim())) {
    if (part === '') continue;
    const at = part.lastIndexOf('=');
    const group = part.slice(0, Math.max(0, at)).trim();
    const words = wordsOf(part.slice(at + 1));
    if (group === '' || words.length === 0) return invalid(`"${part}" does not say which rights which group gives`);
    const wrong = words.find((word) => word !== administrator && word !== everything && !services.includes(word));
    if (wrong !== undefined) {
      return invalid(`"${wrong}" is no right: those are ${[...services, everything, administrator].join(', ')}`);
    }
    if (rules.some((rule) => rule.group === group)) return invalid(`the group "${group}" stands there twice`);
    const permissions = services.filter((service) => words.includes(service) || words.includes(everything));
    rules.push({ group, permissions, isAdmin: words.includes(administrator) });
  }
  return ok(rules);
}

/**
 * Returns a user's rights after a sign-in with these groups (OIDC-013). A right that some group gives is theirs only by
 * a group; the others stay as they are.
 */
export function rightsByGroups(rules: readonly GroupRights[], groups: readonly string[], user: Rights): Rights {
  const given = rules.filter(({ group }) => groups.includes(group));
  const isManaged = (service: ServiceKey) => rules.some(({ permissions }) => permissions.includes(service));
  const kept = user.permissions.filter((service) => !isManaged(service));
  return {
    permissions: [...new Set([...kept, ...given.flatMap(({ permissions }) => permissions)])],
    isAdmin: rules.some(({ isAdmin }) => isAdmin) ? given.some(({ isAdmin }) => isAdmin) : user.isAdmin,
  };
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function invalid(what: string) {
  const message = `${what}; write group=right,right;group=right, such as crm-team=sales_crm,signing;admins=administrator`;
  return err({ reason: 'invalid_rights' as const, message });
}
