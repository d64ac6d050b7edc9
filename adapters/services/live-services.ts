import { z } from 'zod';
import type { EnterableSetting } from '#adapters/contracts/setup-guides.ts';
import type { ConfiguredService, Service } from '#adapters/services/definitions/service.ts';
import {
  dialectsIn,
  type Environment,
  settingOf,
  vendorSetting,
} from '#adapters/services/definitions/service-settings.ts';
import type { EnteredSetting, VendorApp } from '#application/ports/entered-settings.ts';
import { chosenFor, type VendorChoice } from '#application/setup/vendor-choice.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';

/** The maximum length of an entered setting, in characters. */
const maxLength = 4_096;

/** A setting of one vendor: its service, the vendor's dialect, and its name: 'client_id'. */
type Place = Pick<EnteredSetting, 'service' | 'vendor' | 'name'>;

/**
 * The services of this server as configured: by the environment, whose values win, and by what administrators entered.
 * Whoever needs a client id or a secret reads `current` each time, since both change while the server runs.
 */
export class LiveServices {
  readonly #defined: readonly Service[];
  readonly #env: Environment;
  #running: Environment;
  #entered: readonly EnteredSetting[] = [];
  #current: readonly ConfiguredService[];

  constructor(defined: readonly Service[], env: Environment) {
    const names = defined.flatMap(({ variables, vendorVariables }) => [
      ...Object.keys(variables),
      ...Object.keys(vendorVariables),
    ]);
    this.#defined = defined;
    this.#env = Object.fromEntries(names.map((name) => [name, own(env, name)]).filter(([, value]) => value));
    this.#running = this.#env;
    this.#current = defined.map((service) => service.configure(this.#env));
  }

  /** The same with more services, which read nothing of the environment. */
  with(more: readonly Service[]): LiveServices {
    return new LiveServices([...this.#defined, ...more], this.#env);
  }

  /** The services; other objects after each change. */
  get current(): readonly ConfiguredService[] {
    return this.#current;
  }

  /**
   * Begins with what administrators entered: the vendors that they chose serve from then on, for as long as this server
   * runs.
   */
  start(entered: readonly EnteredSetting[]): void {
    const chosen = this.#defined.flatMap(({ key, dialects }) => {
      const known = chosenFor(key, entered).filter((name) => dialects.includes(name));
      return known.length === 0 ? [] : [[settingOf(key, 'DIALECT'), known.join()] as const];
    });
    this.#running = { ...Object.fromEntries(chosen), ...this.#env };
    this.enter(entered);
  }

  /** Uses what administrators entered, in place of what they entered before; values that do not fit are left out. */
  enter(entered: readonly EnteredSetting[]): void {
    const usable = entered.flatMap((one) => {
      const found = this.#find(one, (choice) => choice.running);
      const isUsed = found !== null && !this.#isSet(one, found) && this.errorIn(one, one.value) === null;
      return isUsed ? [[variableOf(one, found), one.value] as const] : [];
    });
    this.#entered = entered;
    const env = { ...Object.fromEntries(usable), ...this.#running };
    this.#current = this.#defined.map((service) => service.configure(env));
  }

  /** The vendors of a service: those that serve it, and those that an administrator chose since. */
  choice(service: ServiceKey): VendorChoice {
    const defined = this.#defined.find(({ key }) => key === service);
    if (defined === undefined) return { running: [], next: [], kept: [], offered: [], isFromEnvironment: false };
    const { dialects } = defined;
    const running = dialectsIn({ key: service, dialects }, this.#running);
    const isFromEnvironment = own(this.#env, settingOf(service, 'DIALECT')) !== undefined;
    const chosen = chosenFor(service, this.#entered).filter((name) => dialects.includes(name));
    // A provider of this server's own interface that has an address is in use, though nobody chose it.
    const isNeutralUsed = own(this.#env, settingOf(service, 'URL')) !== undefined;
    const unchosen = dialects.slice(0, 1);
    if (isFromEnvironment) return { running, next: running, kept: running, offered: dialects, isFromEnvironment };
    const next = chosen.length === 0 ? unchosen : chosen;
    const kept = chosen.length > 0 || isNeutralUsed ? next : [];
    return { running, next, kept, offered: dialects, isFromEnvironment };
  }

  /** The settings of a service that can be entered, by vendor, be it in use or not. */
  enterable(service: ServiceKey): Readonly<Record<string, readonly EnterableSetting[]>> {
    const all = this.#defined.find(({ key }) => key === service)?.enterable ?? {};
    return Object.fromEntries(
      Object.entries(all).map(([vendor, enterable]) => [
        vendor,
        enterable.map(({ name, variable }) => {
          const place = { service, vendor, name };
          const found = this.#find(place, nextOf(vendor));
          return {
            name,
            variable: found === null ? variable : variableOf(place, found),
            isFromEnvironment: found !== null && this.#isSet(place, found),
            errorIn: (value: string) => this.errorIn(place, value),
          };
        }),
      ]),
    );
  }

  /** What can be entered for a service, and its vendors. */
  setup(service: ServiceKey) {
    return { enterable: this.enterable(service), choice: this.choice(service) };
  }

  /** Returns why a value cannot be entered; null when it can. */
  errorIn(place: Place, value: string): string | null {
    const found = this.#find(place, nextOf(place.vendor));
    if (found === null) return 'is not a setting that can be entered for this provider';
    if (value.trim() === '') return 'must not be empty';
    if (value.length > maxLength) return `must have at most ${maxLength} characters`;
    if (/\p{Cc}/u.test(value)) return 'must not contain line breaks or other control characters';
    const parsed = z.object({ value: found.schema }).safeParse({ value });
    return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'does not fit');
  }

  /** The apps that this server has at the vendors; the first vendor of a service comes first. */
  apps(): readonly VendorApp[] {
    return this.#current.flatMap(({ service, all }) =>
      all.flatMap(({ settings, grants }, at) => {
        const vendor = settings.dialect;
        const clientId = grants?.app?.clientId ?? null;
        return grants === null ? [] : [{ service: service.key, vendor, isFirst: at === 0, clientId }];
      }),
    );
  }

  /** Whether the environment sets a setting; what is entered for it is then not used. */
  #isSet({ service, vendor }: Place, { plain, isFirst }: Found): boolean {
    const itsOwn = own(this.#env, vendorSetting(service, vendor, plain)) !== undefined;
    return itsOwn || (isFirst && own(this.#env, plain) !== undefined);
  }

  /** A setting of one of these vendors of its service; null when it cannot be entered for any of them. */
  #find({ service: key, vendor, name }: Place, among: (choice: VendorChoice) => readonly string[]): Found | null {
    const defined = this.#defined.find((service) => service.key === key);
    const at = among(this.choice(key)).indexOf(vendor);
    const plain = own(defined?.enterable ?? {}, vendor)?.find((one) => one.name === name)?.variable;
    const schema = plain === undefined ? undefined : defined?.variables[plain];
    return at === -1 || plain === undefined || schema === undefined ? null : { plain, isFirst: at === 0, schema };
  }
}

/** A setting as found: its variable, of the service's first vendor, and whether it is of that one. */
type Found = Readonly<{ plain: string; isFirst: boolean; schema: z.core.$ZodType }>;

/** The vendors from the next start on, with this one among them. */
function nextOf(vendor: string) {
  return ({ next, kept }: VendorChoice) => (next.includes(vendor) ? next : [...kept, vendor]);
}

/** The variable of a setting as the vendors stand. */
function variableOf({ service, vendor }: Place, { plain, isFirst }: Found): string {
  return isFirst ? plain : vendorSetting(service, vendor, plain);
}
