import { z } from 'zod';
import type { EnterableSetting } from '#adapters/contracts/setup-guides.ts';
import type { ConfiguredService, ConfiguredVendor, Service } from '#adapters/services/service.ts';
import { type Environment, vendorSetting } from '#adapters/services/service-settings.ts';
import type { EnteredSetting, VendorApp } from '#application/ports/entered-settings.ts';
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
  #current: readonly ConfiguredService[];

  constructor(defined: readonly Service[], env: Environment) {
    const names = defined.flatMap(({ variables, vendorVariables }) => [
      ...Object.keys(variables),
      ...Object.keys(vendorVariables),
    ]);
    this.#defined = defined;
    this.#env = Object.fromEntries(names.map((name) => [name, own(env, name)]).filter(([, value]) => value));
    this.#current = defined.map((service) => service.configure(this.#env));
  }

  /** The services; other objects after each change. */
  get current(): readonly ConfiguredService[] {
    return this.#current;
  }

  /** Uses what administrators entered, in place of what they entered before; values that do not fit are left out. */
  enter(entered: readonly EnteredSetting[]): void {
    const usable = entered.flatMap((one) => {
      const variable = this.#variableOf(one);
      const isUsed = variable !== null && !this.isFromEnvironment(one) && this.errorIn(one, one.value) === null;
      return isUsed ? [[variable, one.value] as const] : [];
    });
    const env = { ...Object.fromEntries(usable), ...this.#env };
    this.#current = this.#defined.map((service) => service.configure(env));
  }

  /** The settings of a service that can be entered, by vendor. */
  enterable(service: ServiceKey): Readonly<Record<string, readonly EnterableSetting[]>> {
    const all = this.#current.find((one) => one.service.key === service)?.all ?? [];
    return Object.fromEntries(
      all.map(({ settings: { dialect: vendor }, enterable }) => [
        vendor,
        enterable.map(({ name, variable }) => {
          const place = { service, vendor, name };
          return {
            name,
            variable: this.#variableOf(place) ?? variable,
            isFromEnvironment: this.isFromEnvironment(place),
            errorIn: (value: string) => this.errorIn(place, value),
          };
        }),
      ]),
    );
  }

  /** Whether the environment sets a setting; what is entered for it is then not used. */
  isFromEnvironment(place: Place): boolean {
    const found = this.#find(place);
    if (found === null) return false;
    const itsOwn = own(this.#env, vendorSetting(place.service, place.vendor, found.plain)) !== undefined;
    return itsOwn || (found.isFirst && own(this.#env, found.plain) !== undefined);
  }

  /** Returns why a value cannot be entered; null when it can. */
  errorIn(place: Place, value: string): string | null {
    const found = this.#find(place);
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

  #variableOf(place: Place): string | null {
    const found = this.#find(place);
    if (found === null) return null;
    return found.isFirst ? found.plain : vendorSetting(place.service, place.vendor, found.plain);
  }

  #find({ service: key, vendor, name }: Place) {
    const configured = this.#current.find(({ service }) => service.key === key);
    const all: readonly ConfiguredVendor[] = configured?.all ?? [];
    const at = all.findIndex(({ settings }) => settings.dialect === vendor);
    const plain = all[at]?.enterable.find((one) => one.name === name)?.variable;
    const schema = plain === undefined ? undefined : configured?.service.variables[plain];
    return plain === undefined || schema === undefined ? null : { plain, isFirst: at === 0, schema };
  }
}
