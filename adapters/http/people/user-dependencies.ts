import type { UserNotice } from '#adapters/http/people/user-texts.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type RouteContext } from '#adapters/http/route.ts';
import { wholeNumber } from '#adapters/input/texts.ts';
import type { GrantedApps } from '#application/apps/granted-apps.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { StatedConnection } from '#application/ports/connections.ts';
import type { Users } from '#application/ports/users.ts';
import type { AutomationUser } from '#application/users/automation-user.ts';
import type { DefaultRights } from '#application/users/default-rights.ts';
import type { ManageUsers } from '#application/users/manage-users.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { User } from '#domain/users/user.ts';

/** What the pages and the JSON routes of users depend on. */
export type UserRoutesDependencies = Readonly<{
  users: Pick<Users, 'page' | 'find' | 'findAll' | 'findByEmail' | 'change'>;
  manage: ManageUsers;
  defaults: DefaultRights;
  apps: Pick<GrantedApps, 'list' | 'revoke'>;
  /** The connections of several users, and all of one, with the team's vault. */
  stated: (userIds: readonly number[]) => Promise<readonly StatedConnection[]>;
  connections: (user: User) => Promise<readonly Connection[]>;
  /** Disconnects a user: whether it was revoked at the provider; null when there was nothing to disconnect. */
  disconnect: (userId: number, service: ServiceKey) => Promise<boolean | null>;
  /** The address at which a user sets their password; null when there is no such user any more. */
  linkFor: (user: User) => Promise<string | null>;
  formGuard: FormGuard;
  names: ServiceNames;
  automation: AutomationUser;
  note: NoteAct;
  /** Now, in Unix ms. */
  now: () => number;
}>;

/** The purpose of the form tokens. */
export const usersPurpose = 'users';

/** Reads the id of a user. */
export const idSchema = wholeNumber(1);

/** The id in the path; 0, which no user has, for an invalid one. */
export function userIdIn(ctx: RouteContext): number {
  return idSchema.safeParse(parameterOf(ctx, 'id')).data ?? 0;
}

/** Shows the table of users, with a message, and a status of a refusal. */
export type ShowUsers = (ctx: RouteContext, notice: UserNotice | null, status?: number) => Promise<void>;
