import { byOperations } from '#application/operations/by-operations.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import { storedEffectOf } from '#domain/operations/effect.ts';
import { type InputError, unknownValue } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { groupSwitch, operationSwitch } from '#domain/users/rights.ts';

/** What can be switched off. */
export type Switchable = Pick<OperationInfo, 'service' | 'name' | 'title' | 'effects'> &
  Partial<Pick<OperationInfo, 'tool' | 'route' | 'standIns' | 'remote'>>;

/** A group of switches as pages show it: that of all tools with one effect, and those of the single tools. */
export type SwitchGroup = Readonly<{
  key: string;
  title: string;
  isOn: boolean;
  tools: readonly Switch[];
  /** The operations that have no tool and that no tool stands for: apps call them over REST and by programs. */
  more: readonly Switch[];
}>;

type Switch = Readonly<{ key: string; title: string; isOn: boolean }>;

const effects = ['read', 'write', 'destroy'] as const;
const groupTitles = { read: 'Reading', write: 'Changing', destroy: 'Overwriting or deleting' } as const;
/** The maximum number of unknown switches that are reported. */
const maxErrors = 20;

function isOnlyCalled({ tool, route, standIns = [] }: Switchable): boolean {
  return tool === null && route !== null && route !== undefined && standIns.length === 0;
}

/** The switches of this server: of its tools, of their groups, and of what is no service's, such as programs. */
export class Switchboard {
  readonly #catalog: Pick<OperationCatalog, 'names' | 'operations'>;
  readonly #others: readonly Switchable[];
  readonly #known: () => ReadonlySet<string>;

  /** `others` can be switched off besides operations, each under a key that is no service's. */
  constructor(catalog: Pick<OperationCatalog, 'names' | 'operations'>, others: readonly Switchable[] = []) {
    this.#catalog = catalog;
    this.#others = others;
    this.#known = byOperations(catalog, () => new Set(this.#switchesOf(catalog.names.keys)));
  }

  /** The keys that are no service's, in the order given. */
  get otherKeys(): readonly string[] {
    return [...new Set(this.#others.map(({ service }) => service))];
  }

  /** The name of a service, or of what is none, as pages show it. */
  nameOf(service: string): string {
    return this.otherKeys.includes(service) ? 'Programs' : this.#catalog.names.of(service);
  }

  /** The switches of a service by effect, as they are with these switched off; groups without tools are left out. */
  groupsOf(service: string, off: readonly string[]): readonly SwitchGroup[] {
    const all: readonly Switchable[] = [...this.#catalog.operations, ...this.#others];
    const own = all.filter((one) => one.service === service);
    const switches = new Set(off);
    const switched = (operations: readonly Switchable[]): readonly Switch[] =>
      operations.map((operation) => {
        const key = operationSwitch(operation);
        return { key, title: operation.title, isOn: !switches.has(key) };
      });
    return effects
      .map((effect) => {
        const ofEffect = own.filter(({ effects: [plain] }) => plain !== undefined && storedEffectOf(plain) === effect);
        const key = groupSwitch({ service, effect });
        return {
          key,
          title: groupTitles[effect],
          isOn: !switches.has(key),
          // Resources and prompts of a remote server are used by models as its tools are.
          tools: switched(ofEffect.filter(({ tool, remote }) => tool !== null || remote !== undefined)),
          more: switched(ofEffect.filter(isOnlyCalled)),
        };
      })
      .filter(({ tools, more }) => tools.length + more.length > 0);
  }

  /**
   * Returns what is switched off once a service's form was sent: the fields `on` of those `shown`. A tool that the page
   * did not show stays as it was.
   */
  afterForm(fields: URLSearchParams, service: string, before: readonly string[]): readonly string[] {
    const on = fields.getAll('on');
    const isOwn = (key: string): boolean => key.startsWith(`${service}:`);
    const off = fields.getAll('shown').filter((key) => isOwn(key) && !on.includes(key) && this.#known().has(key));
    return [...new Set([...before.filter((key) => !isOwn(key)), ...off])];
  }

  /** What is wrong with a list of switches; the nearest known ones are those of these services. */
  errorsIn(off: readonly string[], services: readonly ServiceKey[]): readonly InputError[] {
    const unknown = [...off.entries()].filter(([, key]) => !this.#known().has(key)).slice(0, maxErrors);
    if (unknown.length === 0) return [];
    const known = this.#switchesOf(services);
    return unknown.map(([index, key]) => unknownValue(['off', String(index)], { title: 'switch', given: key, known }));
  }

  #switchesOf(services: readonly ServiceKey[]): readonly string[] {
    return [
      ...services.flatMap((service) => effects.map((effect) => groupSwitch({ service, effect }))),
      ...this.#catalog.operations.filter(({ service }) => services.includes(service)).map(operationSwitch),
      ...this.#others.map(operationSwitch),
    ];
  }
}
