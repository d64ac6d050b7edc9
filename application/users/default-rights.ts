import type { NoteAct } from '#application/audit/audit.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

type DefaultRightsDependencies = Readonly<{
  facts: Pick<ServerFacts, 'find' | 'replace'>;
  /** The services of this server, which determine the order of permissions. */
  services: readonly ServiceKey[];
  note: NoteAct;
}>;

const fact = 'default_rights';

/** The permissions that new users get unless others are chosen for them. */
export class DefaultRights {
  readonly #dependencies: DefaultRightsDependencies;

  constructor(dependencies: DefaultRightsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the permissions; none until an administrator sets some. */
  async find(): Promise<readonly ServiceKey[]> {
    const { facts, services } = this.#dependencies;
    const stored = (await facts.find(fact))?.split(' ') ?? [];
    return services.filter((service) => stored.includes(service));
  }

  /** Removes a permission from those that new users get. */
  async forget(service: ServiceKey): Promise<void> {
    const { facts } = this.#dependencies;
    const stored = (await facts.find(fact))?.split(' ') ?? [];
    if (stored.includes(service)) await facts.replace(fact, stored.filter((one) => one !== service).join(' '));
  }

  /** Replaces the permissions; unknown ones are left out. `by` is the id of the administrator. */
  async set(permissions: readonly string[], by: number): Promise<void> {
    const { facts, services, note } = this.#dependencies;
    const known = services.filter((service) => permissions.includes(service));
    await facts.replace(fact, known.join(' '));
    await note({ action: 'user.defaults_changed', by, detail: known.length === 0 ? 'none' : known.join(', ') });
  }
}
