import type { GrantedApps } from '#application/apps/granted-apps.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { AskChoice } from '#domain/changes/ask-policy.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import { chooseGrant, fullScope, type GrantChoice, scopeOf } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** What a person changes about an app: its access to services, its switches, what it asks first. */
export type AppChange = Readonly<{ choice?: GrantChoice; off?: readonly string[]; ask?: AskChoice | null }>;

type ChangeAppDependencies = Readonly<{
  apps: Pick<GrantedApps, 'change'>;
  /** The services of this server. */
  services: readonly ServiceKey[];
  note: NoteAct;
}>;

/**
 * Changes what an app of a user may do: at once, for the tokens that it has. Access is chosen as on the consent page, from
 * what the user may do themselves.
 */
export class ChangeApp {
  readonly #dependencies: ChangeAppDependencies;

  constructor(dependencies: ChangeAppDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the app as it is then. Fails with `no_service` when none would be left, and with `unknown` for an app that is gone. */
  async run(
    user: User,
    app: AppGrant,
    { choice, off, ask }: AppChange,
  ): Promise<Result<AppGrant, Readonly<{ reason: 'no_service' | 'unknown' }>>> {
    const { apps, services, note } = this.#dependencies;
    const chosen = choice === undefined ? null : chooseGrant(user, choice, services);
    if (chosen?.ok === false) return chosen;
    const scope = chosen === null ? app.scope : (scopeOf(chosen.value, services) ?? fullScope);
    const change = {
      ...(choice === undefined ? {} : { scope }),
      ...(off === undefined ? {} : { switchedOff: off }),
      ...(ask === undefined ? {} : { ask }),
    };
    if (!(await apps.change(user, app.id, change))) return err({ reason: 'unknown' });
    if (choice !== undefined || off !== undefined) {
      const detail = `${app.clientName}: ${scope}, ${(off ?? app.switchedOff).length} switched off`;
      await note({ action: 'app.limited', by: user.id, userId: user.id, subject: app.id, detail });
    }
    return ok({ ...app, ...change });
  }
}
