import type { NoteAct } from '#application/audit/audit.ts';
import type { Users } from '#application/ports/users.ts';
import { rightsDetail } from '#application/users/manage-users.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

type ServerRightsDependencies = Readonly<{
  /** The users as stored, with the permissions for services that this server was started without. */
  users: Pick<Users, 'findAll' | 'page' | 'change'>;
  /** Has new users not get the permission by default any more. */
  forgetDefault: (service: ServiceKey) => Promise<void>;
  note: NoteAct;
}>;

/** The maximum number of users that are read at a time. */
const pageSize = 1_000;

/** Who may use the remote MCP servers that administrators add. */
export class ServerRights {
  readonly #dependencies: ServerRightsDependencies;

  constructor(dependencies: ServerRightsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Lets the administrator who added a server use it. */
  async give(userId: number, service: ServiceKey): Promise<void> {
    const { users, note } = this.#dependencies;
    const user = (await users.findAll([userId]))[0];
    if (user === undefined || user.permissions.includes(service)) return;
    const permissions = [...user.permissions, service];
    await users.change(userId, { permissions });
    await note({
      action: 'user.rights_changed',
      by: userId,
      userId,
      detail: rightsDetail({ ...user, permissions }),
    });
  }

  /** Takes the permission of a removed server from everybody; returns from how many people. */
  async takeAll(service: ServiceKey): Promise<number> {
    const { users, forgetDefault } = this.#dependencies;
    await forgetDefault(service);
    let count = 0;
    for (let after = 0; ; ) {
      const page = await users.page({ permission: service, after, limit: pageSize });
      for (const { id, permissions } of page) {
        await users.change(id, { permissions: permissions.filter((one) => one !== service) });
      }
      count += page.length;
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return count;
      after = last.id;
    }
  }

  /** Returns the first few of those who may use a server, in the order of their ids. */
  first(service: ServiceKey, limit: number): Promise<readonly User[]> {
    return this.#dependencies.users.page({ permission: service, limit });
  }
}
