import { approvals } from '#bootstrap/modules/approvals.ts';
import { attention } from '#bootstrap/modules/attention.ts';
import { auth } from '#bootstrap/modules/auth.ts';
import { changes } from '#bootstrap/modules/changes.ts';
import { edges } from '#bootstrap/modules/edges.ts';
import { notifications } from '#bootstrap/modules/notifications.ts';
import { people } from '#bootstrap/modules/people.ts';
import { programRuns } from '#bootstrap/modules/programs.ts';
import { reactions } from '#bootstrap/modules/reactions.ts';
import { remoteServers } from '#bootstrap/modules/remote-servers.ts';
import { remoteSetup } from '#bootstrap/modules/remote-setup.ts';
import { services } from '#bootstrap/modules/services.ts';
import { signIn } from '#bootstrap/modules/sign-in.ts';
import { users } from '#bootstrap/modules/users.ts';
import { registrations } from '#bootstrap/modules/webhook-registrations.ts';
import { webhooks } from '#bootstrap/modules/webhooks.ts';
import { workspace } from '#bootstrap/modules/workspace.ts';

/** The modules of a whole server, besides its platform; `templates` are those of the notes. */
export function areasOf(templates: Parameters<typeof webhooks>[0]) {
  const ofChanges = [changes, approvals];
  return [
    auth,
    signIn,
    remoteServers,
    remoteSetup,
    services,
    ...ofChanges,
    webhooks(templates),
    reactions,
    registrations,
    workspace,
    programRuns,
    edges,
    users,
    people,
    notifications,
    attention,
  ];
}
